/** The twelve questions that people come to the console with, each answered as text in at most three clicks. */
import type { Signalbox as Instance } from "@signalbox/core"
import type { Browser } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pickScope } from "../../vitest.scope.ts"
import { waitUntil } from "../support/waitUntil.ts"
import { BrowserTab } from "./support/BrowserTab.ts"
import { browserHosts, consoleMount, makeOpenConsole } from "./support/consoleHosts.ts"
import { hostile } from "./support/consoleInstance.ts"
import { startExperimentsInstance } from "./support/experimentsInstance.ts"
import { startFailingInstance } from "./support/failingInstance.ts"
import { canOpenBrowser, openBrowser } from "./support/openBrowser.ts"
import { startQuestionsInstance } from "./support/questionsInstance.ts"

interface Question {
  readonly question: string
  /** What is clicked, from the first page on. */
  readonly clicks: ReadonlyArray<string>
  /** The address that this leads to. */
  readonly where: RegExp
  /** What the page says. */
  readonly text: ReadonlyArray<RegExp | string>
}

/** The row of the request. */
const slowRow = `::-p-xpath(//tr[contains(., "demo/slow")]//a)`

const asked: Readonly<Record<"busy" | "experimenting" | "failing", ReadonlyArray<Question>>> = {
  busy: [
    {
      question: "1. Why was this request slow?",
      clicks: ["aria/Requests", "aria/slowest", slowRow],
      where: /^#\/requests(\/|\?.*open=)gen-/,
      text: [/Most of it, 9 min 50 s/, "was the wait for the first token of Patient"]
    },
    {
      question: "2. Why was this request expensive?",
      clicks: ["aria/Requests", "aria/most expensive", slowRow],
      where: /^#\/requests(\/|\?.*open=)gen-/,
      text: ["It cost $0.31 for 40,000 tokens in, 10,000 of them from a cache, and 30 out."]
    },
    {
      question: "3. Why was this request refused with 400?",
      clicks: ["aria/Requests", "aria/Refused before routing", "aria/400"],
      where: /list=refused&status=400$/,
      text: ["messages", "chat.complete", "req-refused"]
    },
    {
      question: "3. Why was this request refused with 401?",
      clicks: ["aria/Requests", "aria/Refused before routing", "aria/401"],
      where: /list=refused&status=401$/,
      text: ["The API key is unknown", "chat.complete"]
    },
    {
      question: "3. Why was this request refused with 429?",
      clicks: ["aria/Requests", "aria/Refused before routing", "aria/429"],
      where: /list=refused&status=429$/,
      text: ["Rate limit exceeded: 1 requests per window for this key", "grace"]
    },
    {
      question: "5. Who spends most, on what, compared with last month, and where will it end?",
      clicks: ["aria/Spend", "aria/User", "aria/With models"],
      where: /^#\/spend\?by=user&split=model$/,
      text: [/Forecast for .*\s+\$\d/, /Month before\s+\$\d/, /grace[^]*demo\/slow/]
    },
    {
      question: "6. Which key is near its limit?",
      clicks: ["aria/Spend"],
      where: /^#\/spend/,
      text: ["nightly reports", /9[34](\.\d)? %/]
    },
    {
      question: "9. Is a video stuck?",
      clicks: ["aria/Jobs"],
      where: /^#\/jobs/,
      text: ["Is a video stuck? No: the oldest under way was submitted"]
    },
    {
      question: "10. Why did an intern fail?",
      clicks: ["aria/Interns", "aria/failed"],
      where: /^#\/interns\?state=failed$/,
      text: ["broken", hostile]
    },
    {
      question: "11. What do caches save, in dollars?",
      clicks: ["aria/Spend"],
      where: /^#\/spend/,
      text: [
        /Saved by prompt caches, about\s+\$0\.09\s/,
        /Saved by the response cache\s+\$0\.00\d+/,
        /Prompt tokens from caches\s+\d/
      ]
    }
  ],
  failing: [
    {
      question: "4. Which provider fails, since when, and who was affected?",
      clicks: ["aria/Incidents"],
      where: /^#\/incidents/,
      text: [/Overloaded failing since .*\d/, `traffic moved to ${hostile}`, "1 user affected"]
    },
    {
      question: "7. What happens if a provider goes down?",
      clicks: ["aria/Providers", 'a[href="#/providers/overloaded"]'],
      where: /^#\/providers\/overloaded$/,
      text: ["1 model loses all endpoints", "of 27 requests have nowhere to go", /[+−]\d.*% cost/]
    }
  ],
  experimenting: [
    {
      question: "8. Is the canary better?",
      clicks: ["aria/Experiments"],
      where: /^#\/experiments/,
      text: ["Is the canary better? Yes: demo/cheap fails as rarely", "costs −80 % per request"]
    },
    {
      question: "12. How far can I trust the probabilities?",
      clicks: ["aria/Calibration"],
      where: /^#\/calibration/,
      text: [/How far can I trust the probabilities\? To within \d/]
    }
  ]
}

const widths = pickScope({ full: [400, 1_280], sample: [400] })

describe.skipIf(!canOpenBrowser)("questions, in a browser", () => {
  const [host] = browserHosts
  let browser: Browser
  const opened: Array<() => PromiseLike<void>> = []
  const origins = new Map<string, string>()
  const serve = async (name: keyof typeof asked, instance: Instance) => {
    const running = await host!.start(makeOpenConsole(instance), consoleMount)
    opened.unshift(running.close, () => instance.close())
    origins.set(name, running.origin)
  }
  beforeAll(async () => {
    browser = await openBrowser()
    const { instance, receiver } = await startQuestionsInstance()
    opened.push(() => receiver[Symbol.asyncDispose]())
    await serve("busy", instance)
    await serve("failing", await startFailingInstance())
    const experimenting = await startExperimentsInstance()
    await serve("experimenting", experimenting)
    await waitUntil(
      async () =>
        (await experimenting.experiments.list()).data.some(
          ({ status }) => status === "rolled_back"
        ),
      "the canary that fails is not rolled back"
    )
  })
  afterAll(async () => {
    await browser?.close()
    for (const close of opened) await close()
  })

  const rows = Object.entries(asked).flatMap(([name, questions]) =>
    questions.map((question) => ({ name, ...question }))
  )
  describe.each(widths)("%i pixels wide", (width) => {
    it.each(rows)("$question", async ({ clicks, name, text, where }) => {
      expect(clicks.length).toBeLessThanOrEqual(3)
      const console = `${origins.get(name)}${consoleMount}/`
      await using tab = await BrowserTab.open(browser, console, width)
      await tab.goTo()
      for (const click of clicks) await tab.page.locator(click).click()
      for (const part of text) {
        const said = typeof part === "string" ? JSON.stringify(part) : String(part)
        await tab.page.waitForFunction(
          typeof part === "string"
            ? `document.body.innerText.includes(${said})`
            : `${said}.test(document.body.innerText)`
        )
      }
      expect(String(await tab.page.evaluate("location.hash"))).toMatch(where)
      expect(tab.problems).toEqual([])
    })
  })
})
