{{ config(materialized='table', post_hook="grant select on {{ this }} to 'x'") }}
{# Don't read this: CREATE TABLE no (a int); #}
-- Expected: models and sources are references, models imports too.
with orders as (
    select * from {{ ref('stg_orders') }} where {% if is_incremental() %} id > (select max(id) from {{ this }}) {% endif %}
), payments as (
    select * from {{ source('stripe', "payments") }}
)
select orders.*, '{{ var("don't") }}' as x from orders left join payments using (id)
join {{ ref('pkg', 'customers') }} c on true
