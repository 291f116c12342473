/* SPDX-License-Identifier: Apache-2.0 */
/* stdstring.c - adds the type of std::string to a table. */
#include "values/stdstring.h"

uint32_t fc_stdstring_type(struct fc_types *types)
{
	static const char name[] = "std::__cxx11::basic_string<char>";
	enum { WORD = 8, LOCAL = 16 };
	uint32_t known = fc_types_find_tag(types, name);
	if (known)
		return known;
	uint32_t letter = fc_types_number(types, "char", 1, FC_NUMBER_CHAR);
	uint32_t size = fc_types_number(types, "unsigned long", WORD, FC_NUMBER_UNSIGNED);
	struct fc_member hider[] = { { "_M_p", fc_types_pointer(types, letter), 0, 0 } };
	struct fc_member room[] = {
		{ "_M_local_buf", fc_types_array(types, letter, LOCAL), 0, 0 },
		{ "_M_allocated_capacity", size, 0, 0 },
	};
	struct fc_member members[] = {
		{ "_M_dataplus", fc_types_struct(types, "", false, WORD, WORD, hider, 1), 0,
		  0 },
		{ "_M_string_length", size, WORD * 8, 0 },
		{ "", fc_types_struct(types, "", true, LOCAL, WORD, room, 2), 2 * WORD * 8, 0 },
	};
	known = fc_types_struct(types, name, false, 2 * WORD + LOCAL, WORD, members, 3);
	fc_types_tag(types, known, "by_reference");
	return known;
}
