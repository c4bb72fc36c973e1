import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import type { Journey } from "./Journey.ts"

export const requests: ReadonlyArray<Journey> = [
  {
    title: "Requests leads in three clicks from a complaint to the reason for a route",
    run: async (tab) => {
      await tab.goTo()
      await tab.click("Requests")
      await tab.waitFor("Requests by outcome")
      await tab.waitFor("answered")
      await tab.page.locator("tbody a").click()
      await tab.waitFor("demo/model@overloaded")
      const text = await tab.text()
      expect(text).toContain("overloaded")
      expect(text).toContain("503")
      expect(text).toContain(hostile)
      await tab.click("Explain now")
      await tab.waitFor("Tried, in this order")
    }
  },
  {
    title: "Requests keeps filters and a selected time in the address",
    run: async (tab) => {
      await tab.goTo("#/requests?outcome=failed")
      await tab.waitFor("No request of this time matches the filters.")
      await tab.click("Clear filters")
      await tab.waitFor("Cost by model")
      await tab.click("7d")
      await tab.page.waitForFunction(`location.hash.includes("range=7d")`)
      const plot = await tab.page.waitForSelector(".plot canvas")
      const box = await plot!.boundingBox()
      const { mouse } = tab.page
      await mouse.move(box!.x + box!.width * 0.6, box!.y + 40)
      await mouse.down()
      await mouse.move(box!.x + box!.width * 0.9, box!.y + 40, { steps: 5 })
      await mouse.up()
      await tab.page.waitForFunction(`/from=.*&to=/.test(location.hash)`)
      await tab.click("24h")
      await tab.waitFor("demo/model")
      await tab.page.locator(".chart summary").click()
      await tab.waitFor("Time")
    }
  },
  {
    title: "Requests copies a request as curl",
    run: async (tab) => {
      await tab.goTo("#/requests")
      await tab.page.locator("tbody a").click()
      await tab.click("Copy as curl")
      await tab.page.waitForFunction(
        `document.body.innerText.includes("Copied") || document.querySelector("textarea") !== null`
      )
    }
  }
]
