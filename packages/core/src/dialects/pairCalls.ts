/** Puts the results of calls where every dialect but chat wants them: all of them, right behind their calls. */
import * as Result from "effect/Result"
import type { Turn } from "../conversation/Conversation.ts"
import type { CallPart, Part, ResultPart } from "../conversation/Part.ts"
import { UntranslatableRequest } from "./UntranslatableRequest.ts"

/**
 * Each assistant turn with calls is followed by one `tool` turn with one result per call, in the order of the calls. An
 * interrupted call gets a result that reports the interruption. Fails when a result has no call before it.
 */
export const pairCalls = (
  turns: ReadonlyArray<Turn>
): Result.Result<ReadonlyArray<Turn>, UntranslatableRequest> => {
  if (!turns.some(hasCallOrResult)) return Result.succeed(turns)
  const paired: Array<Turn> = []
  let open: ReadonlyArray<CallPart> = []
  let openIds = new Set<string>()
  let results = new Map<string, ResultPart>()

  const close = (): void => {
    if (open.length === 0) return
    paired.push({
      role: "tool",
      parts: open.map((call) => results.get(call.id) ?? toInterrupted(call))
    })
    open = []
    openIds = new Set()
    results = new Map()
  }

  for (const turn of turns) {
    const found = turn.parts.filter(isResult)
    for (const result of found) {
      if (!openIds.has(result.callId)) {
        return Result.fail(
          new UntranslatableRequest({
            path: ["messages"],
            problem: `the result of the call "${result.callId}" follows no such call`
          })
        )
      }
      results.set(result.callId, result)
    }
    const others = found.length === 0 ? turn.parts : turn.parts.filter((part) => !isResult(part))
    if (turn.role === "tool" && others.length === 0) continue
    close()
    paired.push(
      found.length === 0
        ? turn
        : { ...turn, role: turn.role === "tool" ? "user" : turn.role, parts: others }
    )
    if (turn.role === "assistant") {
      open = turn.parts.filter(isCall)
      openIds = new Set(open.map(({ id }) => id))
    }
  }
  close()
  return Result.succeed(paired)
}

const hasCallOrResult = ({ parts, role }: Turn): boolean =>
  role === "tool" || parts.some(({ type }) => type === "call" || type === "result")

const isCall = (part: Part): part is CallPart => part.type === "call"

const isResult = (part: Part): part is ResultPart => part.type === "result"

const toInterrupted = ({ id, isCustom, name }: CallPart): ResultPart => ({
  type: "result",
  callId: id,
  name,
  content: [{ type: "text", text: "The call was interrupted and returned no result." }],
  isError: true,
  ...(isCustom === undefined ? undefined : { isCustom })
})
