/** A host without a web framework: calls in process, with answers typed by the questions. */
import assert from "node:assert/strict"
import { SignalboxError } from "@signalbox/core"
import { makeInstance, model } from "./makeInstance.ts"

export const runInProcess = async (): Promise<void> => {
  await using consumer = await makeInstance()
  const { answers, provider } = await consumer.instance.decide({
    model,
    provider: { order: ["down", "up"] },
    state: "I was charged twice!",
    questions: {
      angry: { type: "noul", instructions: "Is the customer angry?" },
      team: {
        type: "choice",
        instructions: "Whose is it?",
        criteria: { billing: "Money", shipping: null }
      }
    }
  })
  const team: "billing" | "shipping" = answers.team.choice
  assert.equal(team, "billing")
  assert.ok(answers.angry.noul > 0.5 && answers.angry.noul < 1)
  assert.equal(provider, "Up")
  assert.equal(consumer.upstream.requests.length, 1)

  // `instanceof SignalboxError` works only if the tarballs share one copy of the core.
  const unknown = consumer.instance.decide({
    model: "author/nobody",
    state: "?",
    questions: { q: { type: "noul", instructions: "Is anybody there?" } }
  })
  await assert.rejects(unknown, (error) => error instanceof SignalboxError && error.status === 400)
  // A bundler may rename the class, and logs show its name.
  assert.equal(SignalboxError.name, "SignalboxError")
}
