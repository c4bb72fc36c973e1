/** Keeps the content of requests: leaves secrets out, seals it and stores it, after the answer. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import {
  countContentBytes,
  type DispatchedGeneration,
  isContentSelected,
  openSinkQueue,
  type Sink
} from "../../engine/observability/broadcast/Sink.ts"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import { Sealer } from "../../engine/secrets/Sealer.ts"
import { Settings } from "../../instance/Settings.ts"
import { countUtf8Bytes } from "../../values/json/JsonCost.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { ContentStore } from "./ContentStore.ts"
import { contentSinkName } from "./Contents.ts"
import { type KeptContent, toSealContext } from "./KeptContent.ts"
import { redactContent, redactEnds } from "./redactContent.ts"

interface QueuedContent {
  readonly generation: Generation
  readonly content: DispatchedGeneration["content"]
  readonly bytes: number
}

export const makeContentSink = Effect.gen(function* () {
  const { keptContentRetentionMillis, maxKeptContentBytes } = yield* Settings
  const random = yield* Random.Random
  const sealer = yield* Sealer
  const store = yield* ContentStore
  let tooLarge = 0

  /**
   * Whose words it has, and until when they may be kept. A replay says what another request said, so its content is kept for
   * as long as that of the other, and goes with the same person and key. Undefined when that is gone.
   */
  const findOwner = Effect.fnUntraced(function* (
    { account, externalUser, keyHash, replayOf, user }: Generation,
    keptAt: number
  ) {
    const expiresAt = keptAt + keptContentRetentionMillis
    if (replayOf === undefined) return { keyHash, user, externalUser, expiresAt }
    const [origin] = yield* store.list(account, [replayOf], keptAt)
    return origin && { ...origin, expiresAt: Math.min(expiresAt, origin.expiresAt) }
  })

  /** Undefined when it is too large, which is logged and counted, or when what it repeats is gone. */
  const seal = Effect.fnUntraced(function* ({ content, generation }: QueuedContent) {
    const { account, id, workspace } = generation
    const keptAt = yield* Clock.currentTimeMillis
    const owner = yield* findOwner(generation, keptAt)
    if (owner === undefined) return undefined
    const { input, isTruncated, output } = content
    const isCut = isTruncated === true || generation.error !== undefined
    const said = isCut && output !== undefined ? redactEnds(output) : output
    const document = omitUndefined({ input, output: said, isTruncated })
    const text = JSON.stringify(redactContent(document))
    const size = countUtf8Bytes(text)
    if (size > maxKeptContentBytes) {
      tooLarge++
      yield* Effect.logWarning(
        `the content of ${id} is not kept: it has ${size} bytes, more than ${maxKeptContentBytes} (maxKeptContentBytes)`
      )
      return undefined
    }
    const { expiresAt, externalUser, keyHash, user } = owner
    const kept: KeptContent = {
      id,
      account,
      workspace,
      ...omitUndefined({ keyHash, user, externalUser }),
      keptAt,
      expiresAt,
      // There is a key: without one, there is no sink.
      sealed: yield* Effect.orDie(sealer.seal(Redacted.make(text), toSealContext({ account, id })))
    }
    return kept
  })

  const { flush, offer, report } = yield* openSinkQueue<QueuedContent>({
    title: "kept content",
    weigh: ({ bytes }) => bytes,
    batchSize,
    deliver: Effect.fnUntraced(function* (items) {
      const sealed = yield* Effect.forEach(items, seal)
      const contents = sealed.filter((content) => content !== undefined)
      if (contents.length > 0) yield* store.put(contents)
    })
  })

  const sink: Sink = {
    name: contentSinkName,
    flush,
    report: () => {
      const queue = report()
      return { ...queue, failed: queue.failed + tooLarge }
    },
    offer: (ended, { kept }) => {
      const { contentPolicy = "forbidden", generation } = ended
      if (contentPolicy === "forbidden") return
      const isKept =
        contentPolicy === "wanted" ||
        (kept !== undefined && isContentSelected(kept, generation, random.nextDoubleUnsafe()))
      if (!isKept) return
      const { content } = ended
      offer({ generation, content, bytes: countContentBytes(content) })
    }
  }
  return sink
})

/** More would keep a transaction of the store open for long. */
const batchSize = 32
