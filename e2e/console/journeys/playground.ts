import { expect } from "vitest"
import type { Journey } from "./Journey.ts"

export const playground: ReadonlyArray<Journey> = [
  {
    title: "The playground asks models side by side, and leads to the route of each",
    run: async (tab) => {
      await tab.goTo("#/playground")
      await tab.page.locator("form input").fill("demo/model, demo/none")
      await tab.click("Plan")
      await tab.waitFor("Plan: demo/model@")
      await tab.click("Send")
      await tab.waitFor("Hi.")
      await tab.waitFor("Answered by")
      await tab.waitFor("the first token after")
      await tab.page.waitForSelector('[aria-label="demo/none"] .text-bad')
      // The browser notes that there is no such model.
      expect(tab.problems.splice(0)).not.toEqual([])
      await tab.click("OpenAI SDK, Python")
      await tab.waitFor("from openai import OpenAI")
      await tab.waitFor("for chunk in answer")
      await tab.page.locator(".answer a").click()
      // Which endpoints were tried depends on what other journeys made them do.
      await tab.page.waitForFunction(`location.hash.startsWith("#/requests/gen-")`)
      await tab.waitFor("Answered in")
    }
  },
  {
    title: "The playground says what is wrong with the fields",
    run: async (tab) => {
      await tab.goTo("#/playground")
      await tab.click("Send")
      await tab.waitFor("Name a model.")
      await tab.page.locator("form input").fill("demo/model")
      await tab.page
        .locator("aria/Other fields as JSON, such as temperature and provider")
        .fill("{")
      await tab.click("Send")
      await tab.waitFor("The other fields are no JSON")
    }
  },
  {
    title: "The playground edits tools, says what is wrong with them, and sends them",
    run: async (tab) => {
      const tools = tab.page.locator("aria/Tools as JSON")
      await tab.goTo("#/playground")
      await tab.page.locator("form input").fill("demo/model")
      await tab.click("Insert an example")
      await tab.waitFor("1 tool: get_weather.")
      await tab.page.locator("form input[type=checkbox]").click()
      await tab.click("Send")
      await tab.waitFor("Answered by")
      // The answer came whole.
      expect(await tab.text()).not.toContain("the first token after")
      await tab.click("AI SDK")
      await tab.waitFor("jsonSchema({")

      await tools.fill("[")
      await tab.waitFor("The tools are no JSON")
      await tools.fill(`[{ "type": "function" }]`)
      await tab.waitFor("Tool 1 needs a function")
      await tab.click("Send")
      await tab.page.waitForSelector("form [role=alert]")
    }
  }
]
