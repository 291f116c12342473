/* SPDX-License-Identifier: Apache-2.0 */
/* Passes on what it was given of secrets: under other names, in pieces, in copies, by a child, by a jump. */
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone, noipa))

struct account {
	int id;
	char password[24];
};

static jmp_buf out;

KEPT char *copy(char *to, const char *from)
{
	return memcpy(to, from, strlen(from) + 1);
}
KEPT int length(const char *of)
{
	return (int)strlen(of);
}
KEPT int fill(char *line, int size)
{
	memcpy(line, "tell-nobody-3", (size_t)size);
	return size;
}
KEPT int say(const char *text)
{
	return text[0];
}
KEPT int log_in(const char *password)
{
	char own[64], line[64];
	copy(own, password);
	length(own + 3);
	length(password + strlen(password) - 1);
	snprintf(line, sizeof(line), "user=anna&word=%s&n=1", own);
	say(line);
	say("anna");
	return 0;
}
KEPT int open_account(const struct account *account)
{
	return length(account->password) + say("number 7");
}
KEPT int ask(char *password, int size)
{
	return fill(password, size) & 255;
}
KEPT int jump(const char *passphrase)
{
	return length(passphrase); /* a tail call */
}
KEPT int leave(const char *passphrase)
{
	say(passphrase);
	longjmp(out, 1);
}
KEPT int bear(const char *secret)
{
	int child = fork();
	if (!child) {
		say(secret);
		say("child");
		_exit(0);
	}
	waitpid(child, NULL, 0);
	return 0;
}
KEPT int send_out(const char *secret)
{
	char line[64];
	int nr = snprintf(line, sizeof(line), "<%s>\n", secret);
	return (int)write(1, line, (size_t)nr);
}
/* As often as a table of secrets would be full. */
KEPT int down(const char *secret, int left)
{
	char own[32];
	snprintf(own, sizeof(own), "tell-nobody-%d-x", left + 100);
	return left ? down(own, left - 1) : say(secret);
}

int main(void)
{
	struct account account = { 7, "tell-nobody-2" };
	char phrase[14] = "";
	log_in("tell-nobody-1");
	say("between");
	open_account(&account);
	ask(phrase, sizeof(phrase));
	jump("tell-nobody-4");
	if (!setjmp(out))
		leave("tell-nobody-5");
	say("behind");
	bear("tell-nobody-6");
	send_out("tell-nobody-7");
	down("tell-nobody-8", 300);
	say("last");
	return 0;
}
