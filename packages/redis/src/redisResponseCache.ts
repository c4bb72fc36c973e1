/** A cache of responses that all processes on one Redis share. */
import { hash } from "node:crypto"
import {
  type CachedAnswerFilter,
  type CachedAnswerOwner,
  checkOptionTypes,
  countAnswerBytes,
  ResponseCacheStore,
  StoreUnavailable
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { connectRedis, isRedisUrl, type RunCommand } from "./connectRedis.ts"

/** Options of `redisResponseCache`. Only `url` is required. */
export interface RedisResponseCacheOptions {
  /** `redis://host:6379`, or with TLS and credentials `rediss://user:password@host:6379`. */
  readonly url: string | Redacted.Redacted
  /** The prefix of every Redis key. Instances with one prefix share their answers. Default: `signalbox:answers:`. */
  readonly prefix?: string
}

/**
 * Keeps the answers of the cache of responses in Redis, so that all instances with the same Redis and prefix share them. A
 * Redis key is a hash, and with `Options.sealing` answers are sealed, so Redis learns nothing of requests. Where a workspace has
 * too many, those make room that expire first. While Redis is down or slow, every request goes to its provider.
 *
 * Throws a `RangeError` for an invalid `url`, an unknown option or one of the wrong type.
 *
 * ```ts
 * const signalbox = await Signalbox.make({
 *   responseCache: { store: redisResponseCache({ url: "redis://localhost:6379" }) }
 * })
 * ```
 */
export const redisResponseCache = (
  options: RedisResponseCacheOptions
): Layer.Layer<ResponseCacheStore> => {
  checkOptionTypes("redisResponseCache", options, { url: ["string", "object"], prefix: ["string"] })
  const { prefix = "signalbox:answers:", url } = options
  const address = Redacted.isRedacted(url) ? Redacted.value(url) : url
  if (typeof address !== "string" || !isRedisUrl(address)) {
    // The url is not repeated, since it may hold a password.
    throw new RangeError(
      "redisResponseCache: url must be like redis://host:6379 or rediss://host:6379"
    )
  }
  return Layer.effect(ResponseCacheStore, Effect.map(connectRedis(address), makeStore(prefix)))
}

const makeStore =
  (prefix: string) =>
  (runCommand: RunCommand): ResponseCacheStore["Service"] => {
    const run = <A>(command: Parameters<typeof runCommand<A>>[0]): Effect.Effect<A> =>
      Effect.orDie(Effect.mapError(runCommand(command), (cause) => new StoreUnavailable({ cause })))
    const answers = `${prefix}answer:`
    const toLists = (account: string): string => `${prefix}account:${digest(account)}`
    const toList = (account: string, workspace: string): string =>
      `${prefix}workspace:${digest(JSON.stringify([account, workspace]))}`

    const remove = (key: string): Effect.Effect<number> =>
      run((client) => client.removeAnswer(answers + key, answers))

    return {
      find: (key, now) =>
        Effect.map(
          run((client) => client.hmGet(answers + key, ["text", "expiresAt"])),
          ([text, expiresAt]) =>
            typeof text === "string" && Number(expiresAt) > now ? text : undefined
        ),
      put: (answer) => {
        const { expiresAt, key, maxBytes, now, owner, text } = answer
        const bytes = countAnswerBytes(answer)
        return Effect.asVoid(
          run((client) =>
            client.putAnswer({
              answer: answers + key,
              list: toList(owner.account, owner.workspace),
              lists: toLists(owner.account),
              prefix: answers,
              text,
              member: [bytes, key, ...toOwnerParts(owner)].join(":"),
              bytes,
              now,
              expiresAt,
              maxBytes
            })
          )
        )
      },
      remove: (key) => Effect.asVoid(remove(key)),
      removeAll: Effect.fnUntraced(function* (filter) {
        const { account, workspace } = filter
        const lists =
          workspace === undefined
            ? yield* run((client) => client.sMembers(toLists(account)))
            : [toList(account, workspace)]
        let removed = 0
        for (const list of lists) {
          const members = yield* run((client) => client.zRange(list, 0, -1))
          for (const member of members) {
            const [, key = "", ...parts] = member.split(":")
            if (hasOwnerParts(parts, filter)) removed += yield* remove(key)
          }
        }
        return removed
      })
    }
  }

/** Names are hashed: they are private, and may have any character. */
const digest = (text: string): string => hash("sha256", text, "base64url").slice(0, 32)

const toOwnerParts = ({
  externalUser,
  keyHash,
  user
}: Omit<CachedAnswerOwner, "account" | "workspace">): ReadonlyArray<string> =>
  [keyHash, user, externalUser].map((name) => (name === undefined ? "" : digest(name)))

const hasOwnerParts = (parts: ReadonlyArray<string>, filter: CachedAnswerFilter): boolean =>
  toOwnerParts(filter).every((wanted, at) => wanted === "" || wanted === parts[at])
