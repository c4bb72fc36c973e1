"use client"
/** The part for the browser: streams a chat when asked. */
import { createClient } from "@signalbox/client"
import { useState } from "react"

const client = createClient({ baseUrl: "/ai" })

export const Ask = ({ model }) => {
  const [text, setText] = useState("")
  const ask = async () => {
    const messages = [{ role: "user", content: "Is all well?" }]
    for await (const { choices } of client.chat.stream({ model, messages })) {
      setText((before) => before + (choices[0]?.delta.content ?? ""))
    }
  }
  return <button onClick={ask}>{text || "Ask"}</button>
}
