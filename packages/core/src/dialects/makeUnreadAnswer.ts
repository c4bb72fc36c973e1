/** An answer that the caller gets as the provider wrote it; its parts are parsed on first access. */
import type { Answer, AnswerEnd } from "../conversation/Answer.ts"
import type { Part } from "../conversation/Part.ts"

/** The parts are a property of the object itself, so that a copy of it has them, too. */
export const makeUnreadAnswer = (
  read: () => ReadonlyArray<Part>,
  end: AnswerEnd,
  logprobs?: unknown
): Answer => {
  let parts: ReadonlyArray<Part> | undefined
  return {
    get parts() {
      return (parts ??= read())
    },
    end,
    ...(logprobs === undefined ? undefined : { logprobs })
  }
}
