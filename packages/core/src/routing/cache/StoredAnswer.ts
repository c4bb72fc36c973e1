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
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { makeFastDecoder } from "../../values/validation/makeFastDecoder.ts"
import { tolerateFailures } from "./tolerateFailures.ts"

/** What is stored of an answer besides itself. */
const StoredAbout = Schema.Struct({
  /** The request whose answer it is. */
  source: GenerationId,
  /** The id of the endpoint that answered. */
  endpoint: Schema.String,
  /** Milliseconds since the epoch. */
  storedAt: Schema.Finite,
  expiresAt: Schema.Finite,
  /** What it cost, in nano-USD; absent: unknown. */
  cost: Schema.optionalKey(Schema.String),
  /** Parts of its request that the endpoint got in another form, as those of every request that it answers; absent: none. */
  changed: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Of its prompt, where a semantic cache compares it: it answers no request of another one. */
  partition: Schema.optionalKey(Schema.String),
  /** Characters of the answer: a store may have lost its end. */
  length: Schema.Finite
})

/** An answer with its source. */
export interface StoredAnswer extends Omit<typeof StoredAbout.Type, "cost" | "length"> {
  readonly cost?: NanoUsd.NanoUsd
  /** What `AnswerCaching.write` wrote. */
  readonly answer: string
}

interface StoredAnswersOptions {
  readonly clock: Clock.Clock
  readonly sealer: Sealer["Service"]
  readonly settings: Pick<SettingsShape, "maxCachedAnswerBytes" | "maxResponseCacheBytes">
  readonly store: ResponseCacheStore["Service"]
}

/** Never fails: without its store the cache has no answers, and requests go on to a provider. */
export const makeStoredAnswers = ({ clock, sealer, settings, store }: StoredAnswersOptions) => {
  const attempt = tolerateFailures("the response cache cannot be used now")

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
                text === undefined ? undefined : decode(text)
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

/** A line of JSON about the answer, and the answer as it was written: JSON in JSON takes twice as long to read. */
const encode = ({ answer, cost, ...about }: StoredAnswer): string => {
  const written: typeof StoredAbout.Type = {
    ...about,
    ...(cost === undefined ? undefined : { cost: String(cost) }),
    length: answer.length
  }
  return `${JSON.stringify(written)}\n${answer}`
}

const decodeAbout = makeFastDecoder(StoredAbout)

/** Undefined for what is none: a store may have anything. */
const decode = (text: string): StoredAnswer | undefined => {
  const end = text.indexOf("\n")
  try {
    const about = Result.getOrUndefined(decodeAbout(JSON.parse(text.slice(0, Math.max(0, end)))))
    if (about === undefined) return undefined
    const { cost, length, ...rest } = about
    const answer = text.slice(end + 1)
    if (answer.length !== length) return undefined
    return {
      ...rest,
      answer,
      ...(cost === undefined ? undefined : { cost: NanoUsd.make(BigInt(cost)) })
    }
  } catch {
    return undefined
  }
}

const sealedCodec = Schema.fromJsonString(SealedSecret)
const encodeSealed = Schema.encodeSync(sealedCodec)
const decodeSealed = Schema.decodeUnknownResult(sealedCodec)

/** Binds an answer to its workspace and its key, so that altering rows cannot give it to others. */
const toSealContext = (
  key: string,
  { account, workspace }: CachedAnswerOwner
): ReadonlyArray<string> => ["cached answer", account, workspace, key]
