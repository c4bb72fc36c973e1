/** The flags that name a running instance and the key for it. */
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { readVariable } from "../readVariable.ts"
import { usageError } from "../usageError.ts"

const defaultKeyVariable = "SIGNALBOX_API_KEY"

export const instanceFlags = {
  url: Flag.String("url").pipe(
    Flag.withDescription(
      "Where the application mounts Signalbox, such as https://example.com/ai (default: $SIGNALBOX_URL)"
    ),
    Flag.optional
  ),
  keyEnv: Flag.String("key-env").pipe(
    Flag.withDescription("Environment variable that holds the API key"),
    Flag.withMetavar("NAME"),
    Flag.withDefault(defaultKeyVariable)
  ),
  key: Flag.Redacted("key").pipe(
    Flag.withDescription(
      "The API key itself; other users of the machine may see it: prefer --key-env"
    ),
    Flag.optional
  )
}

export interface InstanceFlags {
  readonly url: Option.Option<string>
  readonly keyEnv: string
  readonly key: Option.Option<Redacted.Redacted>
}

/** A running instance and the key for it. */
export interface Instance {
  /** The URL of the mount, without a slash at the end. */
  readonly url: string
  readonly key: Redacted.Redacted
  /** The `fetch` of an instance in this process; absent: the platform's. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** The instance that the flags or the environment name. */
export const resolveInstance = Effect.fnUntraced(function* (flags: InstanceFlags) {
  const url = Option.getOrUndefined(flags.url) ?? (yield* readVariable("SIGNALBOX_URL"))
  if (url === undefined) {
    return yield* usageError("No instance is named: pass --url https://… or set SIGNALBOX_URL")
  }
  const { password = "", username = "" } = URL.parse(url) ?? {}
  if (username !== "" || password !== "") {
    // The address is not repeated: errors are kept in logs.
    return yield* usageError(
      "Put no user or password into --url or SIGNALBOX_URL: the key of --key-env authenticates requests"
    )
  }
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    return yield* usageError(`--url ${url} is no address: begin it with http:// or https://`)
  }
  const key = yield* resolveKey(flags)
  return { url: toMount(url), key } satisfies Instance
})

const resolveKey = Effect.fnUntraced(function* ({ key, keyEnv }: InstanceFlags) {
  if (Option.isSome(key)) {
    yield* Console.error(
      `Warning: --key shows the key to other users of this machine. Put it into $${keyEnv} instead.`
    )
    return key.value
  }
  const found = yield* readVariable(keyEnv)
  if (found === undefined) {
    return yield* usageError(
      `$${keyEnv} holds no API key: set it to a management key, or name another variable with --key-env`
    )
  }
  return Redacted.make(found)
})

/** The base URL of an API client is accepted, too. */
const toMount = (url: string): string => url.replace(/\/+$/, "").replace(/\/api\/v1$/, "")
