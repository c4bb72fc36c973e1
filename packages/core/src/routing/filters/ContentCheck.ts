/** Checks of content that the host brings: what guardrails may name besides the detectors of Signalbox. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Detection } from "../../engine/filters/Detector.ts"

export type { Detection }

/** Whom a text is checked for. */
export interface CheckedText {
  readonly account: string
  readonly workspace: string
  /** Who said the text; `answer`: the model, now. */
  readonly role: "answer" | "assistant" | "system" | "tool" | "user"
}

type Found = Iterable<Detection>

/**
 * A check of the host, such as one that recognizes the names of persons. Guardrails name it in `content_filter_checks`; under
 * the names `person-name` and `address` it serves the filters of the same slugs.
 *
 * ```ts
 * const names: ContentCheck = { find: (text) => recognizer.findNames(text) }
 * ```
 */
export interface ContentCheck {
  /**
   * Where the text has what the check looks for: from `start` to before `end`, in UTF-16 code units. Called once for each
   * text of a request; it should take time linear in the text.
   */
  readonly find: (
    text: string,
    of: CheckedText
  ) => Effect.Effect<Found, unknown> | Found | Promise<Found>
  /** How long it may take for one text, in milliseconds; default: 1,000. */
  readonly timeoutMillis?: number
  /**
   * What becomes of a text when the check fails or takes too long: `match` treats all of it as found; default: `pass`, as in
   * the reference.
   */
  readonly onFailure?: "match" | "pass"
}

/** The checks of the host, by name; default: none. */
export const ContentChecks: Context.Reference<ReadonlyMap<string, ContentCheck>> =
  Context.Reference<ReadonlyMap<string, ContentCheck>>(
    "@signalbox/core/routing/filters/ContentChecks",
    { defaultValue: () => new Map() }
  )
