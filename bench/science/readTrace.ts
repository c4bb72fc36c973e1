/** Traces of chats, without their texts: when each came, how long it was, and which prompt it shares with others. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

export const traceNames = ["conversation", "synthetic", "toolagent"] as const
export type TraceName = (typeof traceNames)[number]

const files: Readonly<Record<TraceName, string>> = {
  conversation: "mooncake-conversation",
  synthetic: "mooncake-synthetic",
  toolagent: "toolagent-like"
}

export interface TracedChat {
  /** Milliseconds from the start. */
  readonly at: number
  readonly promptTokens: number
  readonly answerTokens: number
  /** Ids of blocks of 512 tokens. Prompts that begin with the same ids share that prefix. */
  readonly blocks: ReadonlyArray<number>
  /** The blocks of the system prompt, and the beginning of the first message after it. */
  readonly system: ReadonlyArray<number>
  readonly opener: number
  /** The session of an agent; absent: the trace has no sessions. */
  readonly session?: string
}

type Line = [number, number, number, number, Array<number>, (string | null)?]

export const readTrace = (name: TraceName): ReadonlyArray<TracedChat> => {
  const openers = new Map<string, number>()
  return gunzipSync(
    readFileSync(join(import.meta.dirname, "../data/science", `${files[name]}.jsonl.gz`))
  )
    .toString()
    .trim()
    .split("\n")
    .map((text): TracedChat => {
      const line: Line = JSON.parse(text)
      const [at, promptTokens, answerTokens, systemBlocks, blocks, session] = line
      const first = blocks[systemBlocks] ?? -1
      const chat = {
        at,
        promptTokens,
        answerTokens,
        blocks,
        system: blocks.slice(0, systemBlocks),
        opener: first
      }
      if (session == null) return chat
      // A block that was not full gets a new id when more follows, but the text of the first message stays.
      const opener = openers.get(session) ?? first
      openers.set(session, opener)
      return { ...chat, opener, session }
    })
}
