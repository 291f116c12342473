/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interpreter.c - a program of ordinary make, whose calls callgrind and fctrace both
 * count: a small language (numbers, variables, functions, while, if) that runs a script,
 * and what it rests on: scanner, parser, tree, hash table, growing strings; then sorts
 * and checksums.
 */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char script[] =
	"fun gcd(a, b) { while (b) { t = b; b = a % b; a = t; } return a; }\n"
	"fun fib(n) { if (n < 2) { return n; } return fib(n-1) + fib(n-2); }\n"
	"fun prime(n) { i = 2; while (i * i <= n) {\n"
	"  if (n % i == 0) { return 0; } i = i + 1; } return 1; }\n"
	"sum = 0; k = 2;\n"
	"while (k < 300) { if (prime(k)) { sum = sum + k; } k = k + 1; }\n"
	"print(sum); print(fib(14)); print(gcd(1071, 462));\n"
	"print(sqrt(2) * sqrt(8)); print((1 + 2) * 3 - -4);\n";

/* Growing memory */

struct text {
	char *at;
	size_t nr, room;
};

static void text_put(struct text *text, char c)
{
	if (text->nr + 1 >= text->room) {
		text->room = text->room ? text->room * 2 : 16;
		text->at = realloc(text->at, text->room);
		if (!text->at)
			abort();
	}
	text->at[text->nr++] = c;
	text->at[text->nr] = 0;
}

static void text_puts(struct text *text, const char *s)
{
	while (*s)
		text_put(text, *s++);
}

static void *make(size_t size)
{
	void *p = calloc(1, size);
	if (!p)
		abort();
	return p;
}

/* A hash table of names to values */

static uint32_t hash_of(const char *name)
{
	uint32_t hash = 2166136261u;
	while (*name)
		hash = (hash ^ (unsigned char)*name++) * 16777619u;
	return hash;
}

struct slot {
	char *name;
	double value;
	struct slot *next;
};

struct table {
	struct slot *slots[16];
};

static struct slot *table_find(struct table *table, const char *name)
{
	struct slot *slot = table->slots[hash_of(name) % 16];
	while (slot && strcmp(slot->name, name))
		slot = slot->next;
	return slot;
}

static void table_put(struct table *table, const char *name, double value)
{
	struct slot *slot = table_find(table, name);
	if (!slot) {
		struct slot **head = &table->slots[hash_of(name) % 16];
		slot = make(sizeof(*slot));
		slot->name = strdup(name);
		slot->next = *head;
		*head = slot;
	}
	slot->value = value;
}

static double table_get(struct table *table, const char *name)
{
	struct slot *slot = table_find(table, name);
	return slot ? slot->value : 0;
}

static void table_clear(struct table *table)
{
	for (int i = 0; i < 16; i++) {
		while (table->slots[i]) {
			struct slot *next = table->slots[i]->next;
			free(table->slots[i]->name);
			free(table->slots[i]);
			table->slots[i] = next;
		}
	}
}

/* Scanner */

enum token { T_END, T_NUMBER, T_NAME, T_MARK };

struct scanner {
	const char *at;
	enum token token;
	char text[64];
	double number;
};

static void skip_space(struct scanner *s)
{
	while (isspace((unsigned char)*s->at))
		s->at++;
}

static void scan_name(struct scanner *s)
{
	size_t n = 0;
	while (isalnum((unsigned char)*s->at) && n + 1 < sizeof(s->text))
		s->text[n++] = *s->at++;
	s->text[n] = 0;
	s->token = T_NAME;
}

static void scan_number(struct scanner *s)
{
	char *end;
	s->number = strtod(s->at, &end);
	s->at = end;
	s->token = T_NUMBER;
}

static void scan_mark(struct scanner *s)
{
	size_t n = 0;
	s->text[n++] = *s->at++;
	if (strchr("<>=!", s->text[0]) && *s->at == '=')
		s->text[n++] = *s->at++;
	s->text[n] = 0;
	s->token = T_MARK;
}

static void advance(struct scanner *s)
{
	skip_space(s);
	if (!*s->at)
		s->token = T_END;
	else if (isalpha((unsigned char)*s->at))
		scan_name(s);
	else if (isdigit((unsigned char)*s->at))
		scan_number(s);
	else
		scan_mark(s);
}

static int is_at(const struct scanner *s, const char *text)
{
	return (s->token == T_MARK || s->token == T_NAME) && !strcmp(s->text, text);
}

static int accept(struct scanner *s, const char *text)
{
	if (!is_at(s, text))
		return 0;
	advance(s);
	return 1;
}

static void expect(struct scanner *s, const char *text)
{
	if (!accept(s, text)) {
		fprintf(stderr, "expected %s, found %s\n", text, s->text);
		exit(2);
	}
}

/* Tree */

struct node;
struct context {
	struct table names;
	int is_returning;
	double result;
};

typedef double (*eval_fn)(const struct node *node, struct context *context);

struct node {
	eval_fn eval;
	double number;
	char *name;
	char op;
	struct node *left, *right, *third, *next;
};

struct function {
	char *name;
	char *args[8];
	int nr_args;
	struct node *body;
	struct function *next;
};

static struct function *functions;
static struct text output;

static double eval(const struct node *node, struct context *context)
{
	return node->eval(node, context);
}

static double eval_number(const struct node *node, struct context *context)
{
	(void)context;
	return node->number;
}

static double eval_name(const struct node *node, struct context *context)
{
	return table_get(&context->names, node->name);
}

static double eval_binary(const struct node *node, struct context *context)
{
	double a = eval(node->left, context), b = eval(node->right, context);
	switch (node->op) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '/':
		return a / b;
	case '%':
		return fmod(a, b);
	case '<':
		return a < b;
	case '>':
		return a > b;
	case 'l':
		return a <= b;
	case 'g':
		return a >= b;
	case '=':
		return a == b;
	default:
		return a != b;
	}
}

static double eval_assign(const struct node *node, struct context *context)
{
	double value = eval(node->left, context);
	table_put(&context->names, node->name, value);
	return value;
}

static double eval_block(const struct node *node, struct context *context)
{
	double value = 0;
	for (node = node->left; node && !context->is_returning; node = node->next)
		value = eval(node, context);
	return value;
}

static double eval_if(const struct node *node, struct context *context)
{
	return eval(node->left, context) ? eval(node->right, context) : 0;
}

static double eval_while(const struct node *node, struct context *context)
{
	while (!context->is_returning && eval(node->left, context))
		eval(node->right, context);
	return 0;
}

static double eval_return(const struct node *node, struct context *context)
{
	context->result = eval(node->left, context);
	context->is_returning = 1;
	return context->result;
}

static double print_value(double value)
{
	char line[64];
	snprintf(line, sizeof(line), "%.10g\n", value);
	text_puts(&output, line);
	return value;
}

static double call_function(const struct function *f, const struct node *args,
			    struct context *context)
{
	struct context inner = { 0 };
	for (int i = 0; i < f->nr_args && args; i++, args = args->next)
		table_put(&inner.names, f->args[i], eval(args, context));
	eval(f->body, &inner);
	table_clear(&inner.names);
	return inner.result;
}

static double eval_call(const struct node *node, struct context *context)
{
	for (const struct function *f = functions; f; f = f->next)
		if (!strcmp(f->name, node->name))
			return call_function(f, node->left, context);
	if (!strcmp(node->name, "print"))
		return print_value(eval(node->left, context));
	return sqrt(eval(node->left, context));
}

/* Parser */

static struct node *node_make(eval_fn eval, struct node *left, struct node *right)
{
	struct node *node = make(sizeof(*node));
	node->eval = eval;
	node->left = left;
	node->right = right;
	return node;
}

static struct node *parse_expression(struct scanner *s);

static struct node *parse_call(struct scanner *s, char *name)
{
	struct node *call = node_make(eval_call, NULL, NULL), **to = &call->left;
	call->name = name;
	while (!is_at(s, ")")) {
		*to = parse_expression(s);
		to = &(*to)->next;
		accept(s, ",");
	}
	expect(s, ")");
	return call;
}

static struct node *parse_primary(struct scanner *s)
{
	struct node *node;
	if (s->token == T_NUMBER) {
		node = node_make(eval_number, NULL, NULL);
		node->number = s->number;
		advance(s);
		return node;
	}
	if (accept(s, "-")) {
		node = node_make(eval_binary, node_make(eval_number, NULL, NULL),
				 parse_primary(s));
		node->op = '-';
		return node;
	}
	if (accept(s, "(")) {
		node = parse_expression(s);
		expect(s, ")");
		return node;
	}
	char *name = strdup(s->text);
	advance(s);
	if (accept(s, "("))
		return parse_call(s, name);
	node = node_make(eval_name, NULL, NULL);
	node->name = name;
	return node;
}

static struct node *parse_level(struct scanner *s, int level)
{
	static const char *const ops[] = { "< > <= >= == !=", "+ -", "* / %" };
	if (level == 3)
		return parse_primary(s);
	struct node *left = parse_level(s, level + 1);
	while (s->token == T_MARK && strcmp(s->text, "=") &&
	       strstr(ops[level], s->text)) {
		char op = s->text[1] != '='   ? s->text[0]
			  : s->text[0] == '<' ? 'l'
			  : s->text[0] == '>' ? 'g'
					      : s->text[0];
		advance(s);
		left = node_make(eval_binary, left, parse_level(s, level + 1));
		left->op = op;
	}
	return left;
}

static struct node *parse_expression(struct scanner *s)
{
	struct node *node = parse_level(s, 0);
	if (node->eval == eval_name && accept(s, "=")) {
		node->eval = eval_assign;
		node->left = parse_expression(s);
	}
	return node;
}

static struct node *parse_block(struct scanner *s);

static struct node *parse_statement(struct scanner *s)
{
	if (is_at(s, "if") || is_at(s, "while")) {
		eval_fn eval = is_at(s, "if") ? eval_if : eval_while;
		advance(s);
		expect(s, "(");
		struct node *condition = parse_expression(s);
		expect(s, ")");
		return node_make(eval, condition, parse_block(s));
	}
	struct node *node = accept(s, "return")
				    ? node_make(eval_return, parse_expression(s), NULL)
				    : parse_expression(s);
	expect(s, ";");
	return node;
}

static struct node *parse_block(struct scanner *s)
{
	struct node *block = node_make(eval_block, NULL, NULL), **to = &block->left;
	expect(s, "{");
	while (!accept(s, "}")) {
		*to = parse_statement(s);
		to = &(*to)->next;
	}
	return block;
}

static void parse_function(struct scanner *s)
{
	struct function *f = make(sizeof(*f));
	f->name = strdup(s->text);
	advance(s);
	expect(s, "(");
	while (!accept(s, ")")) {
		f->args[f->nr_args++] = strdup(s->text);
		advance(s);
		accept(s, ",");
	}
	f->body = parse_block(s);
	f->next = functions;
	functions = f;
}

static void interpret(const char *text)
{
	struct scanner s = { .at = text };
	struct context context = { 0 };
	advance(&s);
	while (s.token != T_END) {
		if (accept(&s, "fun"))
			parse_function(&s);
		else
			eval(parse_statement(&s), &context);
	}
	table_clear(&context.names);
}

/* Sorts and checksums */

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

static void quick_sort(uint32_t *v, int from, int to)
{
	if (from >= to)
		return;
	uint32_t pivot = v[(from + to) / 2];
	int i = from, j = to;
	while (i <= j) {
		while (compare(&v[i], &pivot) < 0)
			i++;
		while (compare(&v[j], &pivot) > 0)
			j--;
		if (i <= j) {
			uint32_t t = v[i];
			v[i++] = v[j];
			v[j--] = t;
		}
	}
	quick_sort(v, from, j);
	quick_sort(v, i, to);
}

static uint32_t crc_step(uint32_t crc, unsigned char byte)
{
	crc ^= byte;
	for (int i = 0; i < 8; i++)
		crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	return crc;
}

static uint32_t crc_of(const void *data, size_t size)
{
	uint32_t crc = ~0u;
	for (size_t i = 0; i < size; i++)
		crc = crc_step(crc, ((const unsigned char *)data)[i]);
	return ~crc;
}

static void sort_numbers(void)
{
	static uint32_t a[2000], b[2000];
	uint32_t state = 12345;
	for (int i = 0; i < 2000; i++)
		a[i] = b[i] = next_random(&state);
	quick_sort(a, 0, 1999);
	qsort(b, 2000, sizeof(b[0]), compare);
	printf("%08x %08x\n", crc_of(a, sizeof(a)), crc_of(b, sizeof(b)));
}

int main(void)
{
	interpret(script);
	fputs(output.at, stdout);
	printf("%08x\n", crc_of(output.at, output.nr));
	sort_numbers();
	free(output.at);
	return 0;
}
