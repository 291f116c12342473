// SPDX-License-Identifier: Apache-2.0
/* Boost.Context's fibers. */
#define BOOST_ALLOW_DEPRECATED_HEADERS
#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>
#include "work.h"

struct co {
	boost::context::fiber self;
};

static boost::context::fiber home;
static co *current;

static void begin(void)
{
}

static co *make(int nr, size_t size)
{
	return new co{ boost::context::fiber(std::allocator_arg, boost::context::fixedsize_stack(size),
					     [nr](boost::context::fiber &&from) {
						     home = std::move(from);
						     work(nr);
						     return std::move(home);
					     }) };
}

static void resume(co *co)
{
	current = co;
	co->self = std::move(co->self).resume();
}

static void yield(void)
{
	home = std::move(home).resume();
}

static void release(co *co)
{
	delete co;
}
