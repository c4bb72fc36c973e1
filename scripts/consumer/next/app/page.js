/** A page that decides on the server, and has a part for the browser. */
import { makeInstance, model } from "../signalbox.js"
import { Ask } from "./Ask.js"

export const dynamic = "force-dynamic"

export default async function Page() {
  const instance = await makeInstance()
  const { answers } = await instance.decide({
    model,
    state: "I was charged twice!",
    questions: { angry: { type: "noul", instructions: "Is the customer angry?" } }
  })
  return (
    <main>
      <p data-noul={answers.angry.noul}>decided</p>
      <Ask model={model} />
    </main>
  )
}
