import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import { act } from "./act.ts"
import { close, fill, submit, undo, waitForPreview } from "./dialogs.ts"
import type { Journey } from "./Journey.ts"

export const keyChanges: ReadonlyArray<Journey> = [
  {
    title: "A key is made with a limit, shown once, changed, put back and deleted",
    run: async (tab) => {
      await tab.goTo("#/keys")
      await tab.waitFor("team 23")
      await tab.click("Create key")
      await fill(tab, "Name", "made here")
      await fill(tab, "Limit in USD", "2.5")
      await fill(tab, "Tags of its requests", "customer")
      await submit(tab, "customer is no tag: write a name, a colon and a value.")
      await fill(tab, "Tags of its requests", "customer:acme, team:search")
      await waitForPreview(tab, "refused with 402 once $2.50 are spent")
      await submit(tab, "The key made here is active.")
      const text = await tab.page.$eval("dialog[open]", (dialog) => dialog.textContent)
      const [secret = ""] = /sk-\w[\w-]{20,}/.exec(text) ?? []
      expect(secret).not.toBe("")
      expect(text).toContain("curl")
      expect(text).toContain("Waiting for its first request to a model")
      await close(tab)
      await tab.page.waitForSelector('[aria-label^="Edit: made here "]')
      expect(await tab.page.content()).not.toContain(secret)
      await tab.page.waitForSelector('a[href*="tag=customer%3Aacme"]')

      await tab.page.locator('[aria-label^="Edit: made here "]').click()
      await waitForPreview(tab, "Nothing is changed yet.")
      await fill(tab, "Limit in USD", "7")
      await fill(tab, "Name", hostile)
      await waitForPreview(tab, "Limit in USD: 2.5 → 7")
      await submit(tab, "The key is changed.")
      await undo(tab, "The key is as it was.")
      await close(tab)

      await act(tab, "Delete key: made here ", "Yes, delete key", "The key is deleted.")
      await tab.page.waitForSelector('[aria-label^="Edit: made here "]', { hidden: true })
    }
  },
  {
    title: "A refused change says why, and keeps what was typed",
    run: async (tab) => {
      await tab.goTo("#/keys")
      await tab.waitFor("team 15")
      await tab.page.locator('[aria-label^="Edit: team 15 "]').click()
      await fill(tab, "Limit in USD", "1e13")
      await submit(tab, "Not done: limit")
      expect(tab.problems.splice(0)).toEqual([expect.stringContaining("400")])
      await fill(tab, "Limit in USD", "1")
      await submit(tab, "The key is changed.")
      await undo(tab, "The key is as it was.")
    }
  },
  {
    title: "A budget is set, changed with a preview, put back and deleted",
    run: async (tab) => {
      await tab.goTo("#/spend")
      await tab.waitFor("Budget of the workspace")
      // Charts that are still loading move what is below them.
      await tab.page.waitForNetworkIdle({ idleTime: 200, concurrency: 1 })
      await tab.click("Set a budget")
      await fill(tab, "Limit in USD", "9")
      await tab.page.select("dialog[open] label:last-of-type select", "daily")
      await submit(tab, "The budget holds from now on.")
      await close(tab)
      const change = '[aria-label^="Change: Budget of the workspace"][aria-label$="(daily)"]'
      await tab.page.locator(change).click()
      await fill(tab, "Limit in USD", "8")
      await waitForPreview(tab, "Limit in USD: 9 → 8")
      await waitForPreview(tab, "are left until it refuses requests with 402")
      await submit(tab, "The limit is changed.")
      await undo(tab, "The limit is as it was.")
      await close(tab)
      // A guardrail is sent its limit with its interval.
      await tab.page.locator('[aria-label^="Change: Guardrail"]').click()
      await fill(tab, "Limit in USD", "2")
      await submit(tab, "The limit is changed.")
      await undo(tab, "The limit is as it was.")
      await close(tab)
      const remove = '[aria-label^="Delete: Budget of the workspace"][aria-label$="(daily)"]'
      await tab.page.locator(remove).click()
      await tab.page.locator("dialog[open] ::-p-text(Yes, delete)").click()
      await tab.waitFor("The budget is deleted.")
      await close(tab)
      await tab.page.waitForSelector(change, { hidden: true })
    }
  }
]
