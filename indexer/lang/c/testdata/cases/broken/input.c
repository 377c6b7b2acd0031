/* Damage costs the definition that it falls into. */
int before(void) { return 1; }

int unclosed(int a)
{
	if (a) {
		call(a);
}

int between(void)
{
	return 2;
}

int head_is_broken(int a @@ int b)
{
	return helper(a);
}

struct kept {
	int one;
	int @@ two;
	int three;
};

int strange_body(void)
{
	) x = = 3;
	still_called(1);
}

int last(void) { return 3; }
