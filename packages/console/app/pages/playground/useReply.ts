/** Sends a request of the playground, and follows its answer. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useEffect, useState } from "preact/hooks"
import { act, actStreaming, type Session, toRequestError } from "../../api/request.ts"
import type { Json } from "../route/request.ts"
import { addToReply, type ChatReply, hasBegun, noReply } from "./ChatReply.ts"
import type { PlaygroundKind } from "./toCode.ts"

export type Decision = OperationResponse<"decisions.createUnderBase">

export interface Progress {
  readonly step: "planned" | "running" | "failed" | "answered"
  readonly reply?: ChatReply
  readonly decision?: Decision
  /** Milliseconds to the first token; absent where the answer comes whole. */
  readonly firstMillis?: number
  /** Milliseconds to the end. */
  readonly millis?: number
  readonly problem?: string
}

const chatPath = "api/v1/chat/completions"
const decisionPath = "api/v1/api/alpha/decisions"

export const useReply = ({
  kind,
  request,
  round,
  session
}: {
  readonly kind: PlaygroundKind
  readonly request: Json
  /** Sends when it changes; 0: sends nothing. */
  readonly round: number
  readonly session: Session
}): Progress => {
  const [progress, setProgress] = useState<Progress>({ step: "planned" })
  useEffect(() => {
    if (round === 0) return
    const controller = new AbortController()
    const start = performance.now()
    let shown: Progress = { step: "running" }
    const show = (change: Partial<Progress>) => {
      if (!controller.signal.aborted) setProgress((shown = { ...shown, ...change }))
    }
    const add = (data: unknown) => {
      const reply = addToReply(shown.reply ?? noReply, data)
      const isFirst = shown.firstMillis === undefined && hasBegun(reply)
      show({ reply, ...(isFirst ? { firstMillis: performance.now() - start } : undefined) })
    }
    const send = async () => {
      show({})
      if (kind === "decisions") {
        const path = decisionPath
        show({ decision: await act<"decisions.createUnderBase">(session, "POST", path, request) })
      } else if (request["stream"] === true) {
        const onData = (data: string) => add(JSON.parse(data))
        await actStreaming(session, chatPath, request, onData, controller.signal)
      } else {
        const answer = await act<"chat.complete">(session, "POST", chatPath, request)
        show({ reply: addToReply(noReply, answer) })
      }
      const broken = shown.reply?.problem
      show({
        millis: performance.now() - start,
        ...(broken === undefined ? { step: "answered" } : { step: "failed", problem: broken })
      })
    }
    send().catch((problem: unknown) =>
      show({ step: "failed", problem: toRequestError(problem).message })
    )
    // What is no longer shown costs no more tokens.
    return () => controller.abort()
    // The request of the round, even if another one is typed meanwhile.
  }, [round])
  return progress
}
