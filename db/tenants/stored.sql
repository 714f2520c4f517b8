-- These functions read one value of stored configuration: settings, personas, limits and triggers. A cast would fail
-- every statement that meets a row of another release, so messages would not arrive. A value that does not fit counts
-- as not set, and `engine status` names its row.

-- Reads a whole number within the bounds.
create or replace function stored_int(p_value jsonb, p_min bigint, p_max bigint) returns bigint
  language sql immutable parallel safe as $$
  select case when jsonb_typeof(p_value) = 'number' then
    case when p_value::numeric between p_min and p_max and p_value::numeric % 1 = 0
      then p_value::numeric::bigint end end
$$;

-- Reads a number from the lower bound on; the upper one keeps it within what intervals and money take.
create or replace function stored_number(p_value jsonb, p_min float8) returns float8
  language sql immutable parallel safe as $$
  select case when jsonb_typeof(p_value) = 'number' then
    case when p_value::numeric between p_min::numeric and 1000000000000 then p_value::numeric::float8 end end
$$;

create or replace function stored_flag(p_value jsonb) returns boolean language sql immutable parallel safe as $$
  select case when jsonb_typeof(p_value) = 'boolean' then p_value::boolean end
$$;

-- Reads a time of day such as 21:00; working hours may end at 24:00.
create or replace function stored_time(p_value jsonb) returns time language sql immutable parallel safe as $$
  select case when p_value #>> '{}' ~ '^([01]\d|2[0-3]):[0-5]\d$|^24:00$' then (p_value #>> '{}')::time end
$$;

-- Answers the time zone of a tenant's settings; UTC where none is set, or where PostgreSQL knows no such zone.
create or replace function zone_of(p_settings jsonb) returns text language plpgsql stable parallel safe as $$
declare
  v_zone text := p_settings->>'timeZone';
begin
  if v_zone is null or v_zone = 'UTC' then return 'UTC'; end if;
  -- Only the attempt says whether the server knows the zone: the view of the zones reads a hundred files.
  begin
    perform now() at time zone v_zone;
    return v_zone;
  exception when invalid_parameter_value then
    return 'UTC';
  end;
end
$$;
