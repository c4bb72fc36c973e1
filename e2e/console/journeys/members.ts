import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import { act } from "./act.ts"
import { close, fill, submit, undo, waitForPreview } from "./dialogs.ts"
import type { Journey } from "./Journey.ts"

export const members: ReadonlyArray<Journey> = [
  {
    title: "Members are added, taken back, removed and brought back",
    run: async (tab) => {
      await tab.goTo("#/members")
      await tab.waitFor("Members of Default")
      await tab.page.waitForSelector("main select option:nth-child(2)")
      await tab.page.select(
        "main select",
        String(
          await tab.page.evaluate(
            `[...document.querySelectorAll("main select option")].find(({ text }) => text.startsWith('">'))?.value`
          )
        )
      )
      await tab.waitFor(`Members of ${hostile.slice(0, 90)}`)
      await tab.waitFor("It has no member.")
      await tab.click("Add members")
      await fill(tab, "User ids", "zoe, yan")
      await waitForPreview(tab, "2 users become members of")
      await submit(tab, "2 of 2 added")
      await undo(tab, "They are not members any more.")
      await close(tab)
      await tab.waitFor("It has no member.")

      await tab.click("Add members")
      await fill(tab, "User ids", "zoe")
      await submit(tab, "1 of 1 added")
      await close(tab)
      await tab.page.locator('[aria-label^="Remove member: zoe"]').click()
      await tab.waitFor("Keys of the user stay and work")
      await tab.page.locator("dialog[open] ::-p-text(Yes, remove member)").click()
      await tab.waitFor("The user is not a member any more.")
      await undo(tab, "The user is a member again.")
      await close(tab)
      const removed = "The user is not a member any more."
      await act(tab, "Remove member: zoe", "Yes, remove member", removed)
      await tab.waitFor("It has no member.")
      await tab.click("People of the account, as its application knows them")
      await tab.waitFor("The application lists nobody.")
      // The browser logs that answer as an error.
      expect(tab.problems.splice(0).join()).toContain("404")
    }
  }
]
