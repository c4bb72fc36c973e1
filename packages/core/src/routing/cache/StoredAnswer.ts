/** Answers as the store has them: sealed where the host has keys, and bounded in size. */
import type * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type {
  CachedAnswerOwner,
  ResponseCacheStore
} from "../../engine/cache/ResponseCacheStore.ts"
import { SealedSecret, type Sealer } from "../../engine/secrets/Sealer.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import { GenerationId } from "../../values/ids/GenerationId.ts"
import { NanoUsd } from "../../values/usage/NanoUsd.ts"

/** An answer with its source. */
const StoredAnswer = Schema.Struct({
  /** The request whose answer it is. */
  source: GenerationId,
  /** The id of the endpoint that answered. */
  endpoint: Schema.String,
  /** Milliseconds since the epoch. */
  storedAt: Schema.Finite,
  expiresAt: Schema.Finite,
  /** What it cost; absent: unknown. */
  cost: Schema.optionalKey(NanoUsd),
  /** What `AnswerCaching.write` wrote. */
  answer: Schema.String
})
export type StoredAnswer = typeof StoredAnswer.Type

interface StoredAnswersOptions {
  readonly clock: Clock.Clock
  readonly sealer: Sealer["Service"]
  readonly settings: Pick<SettingsShape, "maxCachedAnswerBytes" | "maxResponseCacheBytes">
  readonly store: ResponseCacheStore["Service"]
}

/** Never fails: without its store the cache has no answers, and requests go on to a provider. */
export const makeStoredAnswers = ({ clock, sealer, settings, store }: StoredAnswersOptions) => {
  let isFailing = false
  /** Warns once when the store begins to fail. */
  const attempt = <A>(call: Effect.Effect<A>, otherwise: A): Effect.Effect<A> =>
    Effect.matchCauseEffect(call, {
      onSuccess: (value) => {
        isFailing = false
        return Effect.succeed(value)
      },
      onFailure: (cause) => {
        const isNew = !isFailing
        isFailing = true
        return Effect.as(
          isNew ? Effect.logWarning("the response cache cannot be used now", cause) : Effect.void,
          otherwise
        )
      }
    })

  const seal = (text: string, context: ReadonlyArray<string>): Effect.Effect<string> =>
    sealer.currentKeyId === undefined
      ? Effect.succeed(text)
      : Effect.map(Effect.orDie(sealer.seal(Redacted.make(text), context)), encodeSealed)

  /** Undefined when its key is gone, or it is another one's. */
  const open = (
    text: string,
    context: ReadonlyArray<string>
  ): Effect.Effect<string | undefined> => {
    if (sealer.currentKeyId === undefined) return Effect.succeed(text)
    const sealed = decodeSealed(text)
    // With keys, nothing is believed that was not sealed.
    if (Result.isFailure(sealed)) return Effect.undefined
    return Effect.match(sealer.unseal(sealed.success, context), {
      onSuccess: Redacted.value,
      onFailure: () => undefined
    })
  }

  return {
    find: (key: string, owner: CachedAnswerOwner): Effect.Effect<StoredAnswer | undefined> =>
      attempt(
        Effect.flatMap(store.find(key, clock.currentTimeMillisUnsafe()), (found) =>
          found === undefined
            ? Effect.undefined
            : Effect.map(open(found, toSealContext(key, owner)), (text) =>
                text === undefined ? undefined : Result.getOrUndefined(decode(text))
              )
        ),
        undefined
      ),
    put: (key: string, owner: CachedAnswerOwner, stored: StoredAnswer): Effect.Effect<void> =>
      stored.answer.length > settings.maxCachedAnswerBytes
        ? Effect.void
        : attempt(
            Effect.flatMap(seal(encode(stored), toSealContext(key, owner)), (text) =>
              store.put({
                key,
                owner,
                text,
                expiresAt: stored.expiresAt,
                now: stored.storedAt,
                maxBytes: settings.maxResponseCacheBytes
              })
            ),
            undefined
          ),
    remove: (key: string): Effect.Effect<void> => attempt(store.remove(key), undefined)
  }
}

const codec = Schema.fromJsonString(Schema.toCodecJson(StoredAnswer))
const encode = Schema.encodeSync(codec)
const decode = Schema.decodeUnknownResult(codec)

const sealedCodec = Schema.fromJsonString(SealedSecret)
const encodeSealed = Schema.encodeSync(sealedCodec)
const decodeSealed = Schema.decodeUnknownResult(sealedCodec)

/** Binds an answer to its workspace and its key, so that altering rows cannot give it to others. */
const toSealContext = (
  key: string,
  { account, workspace }: CachedAnswerOwner
): ReadonlyArray<string> => ["cached answer", account, workspace, key]
