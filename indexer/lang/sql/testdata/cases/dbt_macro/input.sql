{% macro cents_to_dollars(column_name, scale=2) %}
    -- Expected: macros with their parameters, snapshots, tests.
    ({{ column_name }} / 100)::numeric(16, {{ scale }})
{% endmacro %}

{%- test is_even(model, column_name) -%}
select * from {{ model }} where {{ ref('evens') }}
{%- endtest -%}

{% snapshot orders_snapshot %}
select * from {{ ref('orders') }}
{% endsnapshot %}
{% materialization my_view, default %}{% endmaterialization %}
CREATE TABLE {{ schema }}.users (id int);
CREATE TABLE {{ this }} (id int);
CREATE VIEW ${env}.v AS SELECT 1 FROM {{ schema }}.users;
CREATE TABLE t_{{ suffix }} (id int);
