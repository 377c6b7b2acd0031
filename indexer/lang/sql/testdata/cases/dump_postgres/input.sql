--
-- PostgreSQL database dump
--

SET statement_timeout = 0;

--
-- Name: users; Type: TABLE; Schema: public; Owner: me
--

-- Expected: rows are passed over, headers of the dump are no documentation.
CREATE TABLE public.users (
    id integer NOT NULL,
    name text
);
ALTER TABLE public.users OWNER TO me;

COPY public.users (id, name) FROM stdin;
1	it's
2	CREATE TABLE no (a int);
\.

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);
CREATE INDEX users_name ON public.users USING btree (name);
