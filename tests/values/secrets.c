/* SPDX-License-Identifier: Apache-2.0 */
/* Passes what nobody else is to know; no function of a library sees it. */
#include <stddef.h>
#include <stdio.h>

#define KEPT __attribute__((noinline, noclone, noipa))
#define ROOM __asm__ volatile("nop; nop; nop; nop; nop; nop" ::: "memory")

struct login {
	int id;
	char password[16];
};
struct account {
	struct login login;
	int age;
};

KEPT int log_in(const char *user, const char *Password)
{
	ROOM;
	return user[0] + Password[0];
}
KEPT int crypt_it(const unsigned char *key, int key_len, const char *key_name)
{
	ROOM;
	return key[0] + key_len + key_name[0];
}
KEPT int open_account(const struct account *account, struct login by_value, int secret_count)
{
	ROOM;
	return account->age + by_value.id + secret_count;
}
KEPT int ask(char *passphrase, unsigned long size)
{
	ROOM;
	for (size_t i = 0; i + 1 < size; i++)
		passphrase[i] = "tell-nobody-3"[i];
	return 0;
}
KEPT const char *get_password(int of)
{
	ROOM;
	return of ? "tell-nobody-4" : "";
}
KEPT int plain(const char *word, int n)
{
	ROOM;
	return word[0] + n;
}

int main(void)
{
	struct account account = { { 7, "tell-nobody-1" }, 40 };
	char phrase[14] = "";
	log_in("anna", "tell-nobody-0");
	crypt_it((const unsigned char *)"tell-nobody-2", 13, "first");
	open_account(&account, account.login, 3);
	ask(phrase, sizeof(phrase));
	get_password(1);
	plain("word", 5);
	return 0;
}
