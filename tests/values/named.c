/* SPDX-License-Identifier: Apache-2.0 */
/* Passes secrets that are named by a text: variables, options, headers; and asks for one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone, noipa))

KEPT int configure(const char *name, const char *value)
{
	return name[0] + value[0];
}
KEPT int start(const char **argv)
{
	return !argv[0];
}
KEPT int say(const char *text)
{
	return text[0];
}
KEPT int inner(const char *text)
{
	return text[0];
}
KEPT const char *ask_password(void)
{
	return inner("tell-nobody-10") ? "tell-nobody-11" : "";
}

int main(void)
{
	static char variable[] = "API_KEY=tell-nobody-1";
	const char *argv[] = { "prog", "--password", "tell-nobody-2", "--token=tell-nobody-3",
			       "--user", "anna", NULL };
	setenv("DB_PASSWORD", "tell-nobody-0", 1);
	setenv("COLOR", "green", 1);
	getenv("DB_PASSWORD");
	getenv("COLOR");
	putenv(variable);
	start(argv);
	configure("secret", "tell-nobody-4");
	configure("color", "blue");
	say("Host: here\nAuthorization: tell-nobody-5");
	say("postgres://anna:tell-nobody-6@db/x");
	say("http://here:80/a@b");
	say("PIN: 1");
	say("PIN:");
	printf("%s|%s\n", "TOKEN=tell-nobody-7", "x=y");
	ask_password();
	say("plain");
	return 0;
}
