/** An answer that its caller gets as the provider wrote it, so that its parts are read only when somebody asks for them. */
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
