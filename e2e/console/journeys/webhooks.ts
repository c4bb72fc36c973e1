import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import { act } from "./act.ts"
import { close, fill, submit, undo, waitForPreview } from "./dialogs.ts"
import type { Journey } from "./Journey.ts"

export const webhooks: ReadonlyArray<Journey> = [
  {
    title: "A webhook is set, signed, changed, put back and deleted, and its secret is shown once",
    run: async (tab) => {
      await tab.goTo("#/webhooks")
      // The workspace whose events are sent.
      await tab.waitFor("Latest event")
      await tab.waitFor("unsigned")
      const name = hostile.slice(0, 90)
      const label = (action: string) => `[aria-label^=${JSON.stringify(`${action}: ${name}`)}]`
      await tab.page.locator(label("Set webhook")).click()
      await fill(tab, "URL", "https://hooks.example.com/one")
      await waitForPreview(tab, "They are unsigned until there is a signing secret.")
      await submit(tab, "The webhook is set.")
      await close(tab)
      await tab.waitFor("https://hooks.example.com/one")

      await act(tab, `Create signing secret: \\"`, "Yes, create signing secret", "whsec_")
      await tab.waitFor("Signed with whsec_")
      expect(await tab.text()).not.toMatch(/whsec_\w{20}/)

      await tab.page.locator(label("Change webhook")).click()
      await fill(tab, "URL", "nowhere")
      await submit(tab, "Not done: callback_url")
      expect(tab.problems.splice(0)).toEqual([expect.stringContaining("400")])
      await fill(tab, "URL", "https://hooks.example.com/two")
      await waitForPreview(
        tab,
        "URL: https://hooks.example.com/one → https://hooks.example.com/two"
      )
      await submit(tab, "The webhook is set.")
      await undo(tab, "The webhook is as it was.")
      await close(tab)
      await tab.waitFor("https://hooks.example.com/one")

      const gone = "Events are not signed with it any more."
      await act(tab, "Delete secret: whsec_", "Yes, delete secret", gone)
      await tab.page.waitForFunction(`!document.body.innerText.includes("Signed with")`)
      await act(tab, `Delete webhook: \\"`, "Yes, delete webhook", "The webhook is deleted.")
      await tab.page.waitForSelector(label("Set webhook"))
      await tab.goTo("#/keys")
      await tab.waitFor("webhook.delete")
    }
  },
  {
    title: "A test event is sent to a webhook",
    run: async (tab) => {
      await tab.goTo("#/webhooks")
      await tab.waitFor("Latest event")
      await act(
        tab,
        "Send a test event: ",
        "Yes, send a test event",
        // It takes no event at once.
        "The receiver did not take the test event: status 500 after"
      )
      await tab.goTo("#/keys")
      await tab.waitFor("webhook.test")
    }
  },
  {
    title: "The latest event of a webhook is sent again",
    run: async (tab) => {
      await tab.goTo("#/webhooks")
      await act(
        tab,
        "Send again: the latest event of",
        "Yes, send again",
        "The delivery is delivered"
      )
    }
  }
]
