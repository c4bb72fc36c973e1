/** What a host allows applications that sign in by PKCE, and which of its callback addresses a request names. */
import * as Context from "effect/Context"
import * as Schema from "effect/Schema"

/**
 * Lets applications on the machine of a user get an API key by Proof Key for Code Exchange
 * (https://www.rfc-editor.org/rfc/rfc7636), after the user has consented on a page of the host. See docs/guides/sign-in-applications.md.
 */
export interface PkceOptions {
  /**
   * The addresses to which the page may send a code. An address is compared as a whole; only the port of `http://127.0.0.1`,
   * `http://[::1]` and `http://localhost` is free, because applications listen where there is room
   * (https://www.rfc-editor.org/rfc/rfc8252#section-7.3). Others begin with `https://`, or with a scheme of the application
   * such as `com.example.app:`. Empty: codes are only shown on the page.
   */
  readonly callbackUrls: ReadonlyArray<string>
  /** Whether applications may use the method `plain`, which protects less; default: false. */
  readonly allowPlain?: boolean
}

/** The options of the host; undefined: no application may sign in. */
export const CurrentPkce: Context.Reference<PkceOptions | undefined> = Context.Reference(
  "@signalbox/core/domains/pkce/CurrentPkce",
  { defaultValue: (): PkceOptions | undefined => undefined }
)

/** A loopback address, without its port and what follows. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?(?=[/?]|$)/

/** Schemes whose addresses run or show what they contain. */
const dangerous = /^(?:about|blob|data|file|filesystem|javascript|vbscript|view-source):/i

/** Undefined for an address that a host may list. */
const findAddressProblem = (address: string): string | undefined => {
  if (!/^[!$&-;=?-Z_a-z~[\]%]+$/.test(address))
    return "must be an address of plain ASCII, without a fragment"
  if (!URL.canParse(address) || dangerous.test(address))
    return "must be the address of a page or an application"
  const { password, protocol, username } = new URL(address)
  if (username !== "" || password !== "") return "must be without a user and a password"
  return protocol === "http:" && !loopback.test(address)
    ? "must begin with https://, or be http://127.0.0.1, http://[::1] or http://localhost"
    : undefined
}

export const PkceFields = Schema.Struct({
  callbackUrls: Schema.Array(
    Schema.String.check(Schema.makeFilter((address) => findAddressProblem(address)))
  ).check(Schema.isMaxLength(1_000)),
  allowPlain: Schema.optional(Schema.Boolean)
})

/**
 * The place in the list of the address that a request names, from 1; undefined: it is not listed. Everything but a loopback
 * port is compared as text, as https://www.rfc-editor.org/rfc/rfc9700#section-2.1 demands: parsers differ in what they make of an address.
 */
export const findCallback = (
  listed: ReadonlyArray<string>,
  requested: string
): number | undefined => {
  const wanted = toComparable(requested)
  const at = wanted === undefined ? -1 : listed.findIndex((each) => toComparable(each) === wanted)
  return at === -1 ? undefined : at + 1
}

/** Without the port of a loopback address; undefined where that is none. */
const toComparable = (address: string): string | undefined => {
  const [start, host, port] = loopback.exec(address) ?? []
  if (start === undefined || host === undefined) return address
  if (port !== undefined && !(Number(port) >= 1 && Number(port) <= 65_535)) return undefined
  const rest = address.slice(start.length)
  return host + (rest.startsWith("/") ? rest : `/${rest}`)
}
