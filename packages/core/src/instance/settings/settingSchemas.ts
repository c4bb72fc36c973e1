/** The schemas of single settings: numbers with units and bounds, switches, addresses and names. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type PairDimension, isPairDimension, parseDimension } from "../../values/Dimension.ts"
import { tagKeyPattern } from "../../values/Tags.ts"

interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
}

export const wholeNumber = (unit: string, { maximum, minimum = 1 }: Bounds = {}): Schema.Number => {
  const bound =
    maximum === undefined
      ? minimum === 1
        ? "above 0"
        : `of at least ${minimum}`
      : `from ${minimum} to ${maximum}`
  const message = `must be a whole number ${unit === "" ? "" : `of ${unit} `}${bound}`
  const isAllowed = (value: number): boolean =>
    Number.isSafeInteger(value) && value >= minimum && value <= (maximum ?? value)
  return Schema.Number.annotate({ message }).check(
    Schema.makeFilter(isAllowed, { message, minimum, maximum })
  )
}

export const setting = <S extends Schema.Constraint & Schema.WithoutConstructorDefault>(
  schema: S,
  value: S["~type.make.in"],
  description: string
): Schema.withConstructorDefault<S> =>
  Schema.withConstructorDefault<S>(Effect.succeed(value))(schema).annotate({ description })

const inUnit =
  (unit: string) =>
  (
    value: number,
    description: string,
    bounds?: Bounds
  ): Schema.withConstructorDefault<Schema.Number> =>
    setting(wholeNumber(unit, bounds), value, description)

export const count = inUnit("")
export const bytes = inUnit("bytes")
export const characters = inUnit("characters")
export const millis = inUnit("milliseconds")

/** The sliding windows of health have one counter per second, so they are limited to an hour. */
export const hourMillis = 3_600_000

const ratioMessage = "must be above 0 and at most 1"
const shareMessage = "must be a number from 0 to 1"
export const Share = Schema.Number.annotate({ message: shareMessage }).check(
  Schema.makeFilter((value: number) => (value >= 0 && value <= 1) || shareMessage)
)

export const Ratio = Schema.Number.annotate({ message: ratioMessage }).check(
  Schema.makeFilter((value) => value > 0 && value <= 1, { message: ratioMessage, maximum: 1 })
)
export const Switch = Schema.Boolean.annotate({ message: "must be true or false" })
const urlMessage = "must be an http or https URL"
export const PublicUrl = Schema.UndefinedOr(
  Schema.String.check(Schema.isPattern(/^https?:\/\/[^/?#]+[^?#]*$/, { message: urlMessage }))
).annotate({ message: urlMessage })
const hostnameMessage = "must be a host name such as eu.example.com"
// Rejected at startup: an entry with a port or a scheme would never match, and would restrict nothing.
export const Hostname = Schema.String.annotate({ message: hostnameMessage }).check(
  Schema.isPattern(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i, { message: hostnameMessage })
)
const originMessage = 'must be an origin such as https://app.example.com, or "*" for all'
export const Origin = Schema.String.annotate({ message: originMessage }).check(
  Schema.makeFilter((value: string) => value === "*" || isOrigin(value) || originMessage)
)
const isOrigin = (value: string): boolean =>
  /^https?:\/\/[^/?#@\s]+$/i.test(value) && URL.canParse(value)
const headerMessage = "must be a header name such as x-acme-session-id"
export const HeaderName = Schema.String.annotate({ message: headerMessage }).check(
  Schema.isPattern(/^[a-z0-9!#$%&'*+.^_`|~-]+$/i, { message: headerMessage })
)
const timeZoneMessage = "must be a time zone such as Europe/Berlin"
/** A name of the IANA time zone database (https://www.iana.org/time-zones). */
export const TimeZone = Schema.String.annotate({ message: timeZoneMessage }).check(
  Schema.makeFilter((name: string) =>
    Option.isSome(DateTime.zoneMakeNamed(name)) ? undefined : timeZoneMessage
  )
)
export const weekdays = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday"
] as const
export const Weekday = Schema.Literals(weekdays).annotate({
  message: "must be a day such as monday"
})
const required = (unit: string): Schema.Number => {
  const messageMissingKey = `must be a whole number of ${unit} above 0`
  return wholeNumber(unit).pipe(Schema.annotateKey({ messageMissingKey }))
}
export const RateLimit = Schema.UndefinedOr(
  Schema.Struct({ requests: required("requests"), windowMillis: required("milliseconds") })
).annotate({ message: "must be { requests, windowMillis }" })
/** Envoy calls the choice between the last two `failure_mode_deny`: https://www.envoyproxy.io/docs/envoy/latest/configuration/http/http_filters/rate_limit_filter */
export const RateLimitFailureMode = Schema.Literals(["local", "divide", "open", "closed"]).annotate(
  {
    message: "must be local, divide, open or closed"
  }
)
const tagMessage = "must be the name of a tag, 1 to 64 letters, digits, and _ . -"
export const TagName = Schema.String.annotate({ message: tagMessage }).check(
  Schema.isPattern(tagKeyPattern, { message: tagMessage })
)
const isPairName = (value: unknown): value is PairDimension => {
  const dimension = typeof value === "string" ? parseDimension(value) : undefined
  return dimension !== undefined && isPairDimension(dimension)
}
export const PairDimensionName = Schema.declare(isPairName, {
  message: "must be a pair such as workspace,model or tag:customer,model"
})
export const TokenRateLimit = Schema.UndefinedOr(
  Schema.Struct({ tokens: required("tokens"), windowMillis: required("milliseconds") })
).annotate({ message: "must be { tokens, windowMillis }" })
const optionalMessage = "must be a whole number above 0"
export const OptionalCount = Schema.UndefinedOr(wholeNumber("")).annotate({
  message: optionalMessage
})
