/** The answers of upstreams, as text. */

export const decisionAnswer = JSON.stringify({
  id: "gen-dec-0-bench",
  model: "bench/judge-20261120",
  provider: "Bench",
  answers: {
    urgent: { type: "noul", noul: 0.83 },
    topic: {
      type: "choice",
      choice: "billing",
      confidence: 0.67,
      probabilities: { billing: 0.78, shipping: 0.22, other: 0 }
    },
    mood: {
      type: "score",
      score: 1.2,
      confidence: 0.6,
      probabilities: { "0": 0.2, "1": 0.4, "2": 0.4 },
      legend: { "0": "angry", "1": "neutral", "2": "happy" }
    }
  },
  usage: { input_tokens: 120, output_tokens: 0, cost: 0.00012 }
})

export const chatAnswer = JSON.stringify({
  id: "chatcmpl-bench",
  object: "chat.completion",
  created: 1_795_000_000,
  model: "bench/talker",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: "A lighthouse keeps ships from the rocks. ".repeat(8)
      },
      logprobs: null,
      finish_reason: "stop"
    }
  ],
  usage: { prompt_tokens: 20, completion_tokens: 80, total_tokens: 100 }
})

/** About the size of a provider's event for one token. */
const makeEvent = (delta: object, rest: object = {}): string =>
  `data: ${JSON.stringify({
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 1_795_000_000,
    model: "bench/talker",
    system_fingerprint: "fp_bench",
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...rest }]
  })}\n\n`

export const tokenEvent = makeEvent({ content: " lighthouse" })
export const firstEvents = makeEvent({ role: "assistant", content: "" }) + tokenEvent
export const lastEvents =
  makeEvent({}, { finish_reason: "stop" }) +
  `data: ${JSON.stringify({
    id: "chatcmpl-bench",
    object: "chat.completion.chunk",
    created: 1_795_000_000,
    model: "bench/talker",
    choices: [],
    usage: { prompt_tokens: 20, completion_tokens: 200, total_tokens: 220 }
  })}\n\ndata: [DONE]\n\n`
