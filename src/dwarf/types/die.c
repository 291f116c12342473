/* SPDX-License-Identifier: Apache-2.0 */
/* die.c - reads attributes of an entry. */
#include "dwarf/types/die.h"

#include <dwarf.h>
#include <stddef.h>

bool fc_die_number(Dwarf_Die *die, unsigned int attribute, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr_integrate(die, attribute, &attr) || dwarf_formudata(&attr, &value))
		return false;
	*ret = value;
	return true;
}

bool fc_die_signed(Dwarf_Die *die, unsigned int attribute, int64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Sword value;

	if (!dwarf_attr_integrate(die, attribute, &attr) || dwarf_formsdata(&attr, &value))
		return false;
	*ret = value;
	return true;
}

bool fc_die_flag(Dwarf_Die *die, unsigned int attribute)
{
	Dwarf_Attribute attr;
	bool is_set = false;

	return dwarf_attr(die, attribute, &attr) && !dwarf_formflag(&attr, &is_set) && is_set;
}

bool fc_die_ref(Dwarf_Die *die, unsigned int attribute, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, attribute, &attr) && dwarf_formref_die(&attr, ret);
}

const char *fc_die_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_name, &attr) ? dwarf_formstring(&attr) : NULL;
}

/* It may be in a unit of its own. */
bool fc_die_type(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die whole;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, ret))
		return false;
	if (fc_die_ref(ret, DW_AT_signature, &whole))
		*ret = whole;
	return true;
}

int fc_die_language(Dwarf_Die *die)
{
	Dwarf_Die unit;
	int language = dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1;

	return language < 0 ? 0 : language;
}

bool fc_language_is_c(int language)
{
	return language == DW_LANG_C89 || language == DW_LANG_C || language == DW_LANG_C99 ||
	       language == DW_LANG_C11;
}
