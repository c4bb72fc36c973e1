import { expect } from "vitest"
import { hostile } from "../support/consoleInstance.ts"
import { act } from "./act.ts"
import type { Journey } from "./Journey.ts"

export const jobs: ReadonlyArray<Journey> = [
  {
    title: "Jobs shows what is under way and what failed, by page",
    run: async (tab) => {
      await tab.goTo("#/jobs")
      await tab.waitFor("the oldest under way was submitted")
      await tab.waitFor("video.generation.completed")
      await tab.waitFor("video.submit")
      // A step that was given up, of a resource of this name.
      await tab.waitFor(hostile)
      const countRows = async () => (await tab.page.$$('[aria-label="Video jobs"] tbody tr')).length
      expect(await countRows()).toBe(10)
      await tab.page.locator('[aria-label="Video jobs"] .more button').click()
      await tab.page.waitForFunction(
        `document.querySelectorAll('.table[aria-label="Video jobs"] tbody tr').length > 10`
      )

      await tab.page.locator('[aria-label="State of video jobs"] ::-p-text(failed)').click()
      await tab.page.waitForFunction(`location.hash === "#/jobs?videos=failed"`)
      await tab.waitFor(`Provider returned error: ${hostile}`)
      await tab.page.locator('[aria-label="State of deliveries"] ::-p-text(disabled)').click()
      await tab.waitFor("No delivery is disabled.")
      await tab.page.locator('[aria-label="Video jobs"] tbody a').click()
      await tab.waitFor("Explain now")
      await tab.waitFor("VideoFailed")
    }
  },
  {
    title: "Jobs shows by itself what has become of a video job",
    run: async (tab) => {
      await tab.goTo("#/jobs?videos=in_progress")
      await tab.page.waitForSelector('[aria-label^="Cancel job: "]')
      const job = await tab.page.$eval(
        '[aria-label="Video jobs"] tbody td code',
        (code) => code.textContent
      )
      // Something else than this page ends it.
      await tab.page.evaluate(`fetch("session").then((answer) => answer.json()).then(({ data }) =>
        fetch("api/v1/signalbox/videos/${job}/cancel", {
          method: "POST", headers: { "x-signalbox-token": data.token } }))`)
      await tab.page.waitForFunction(
        `document.querySelector('.table[aria-label="Video jobs"]')?.textContent.includes("${job}") === false`
      )
    }
  },
  {
    title: "Jobs cancels a video job and retries a delivery",
    run: async (tab) => {
      await tab.goTo("#/jobs")
      await tab.waitFor("in progress")
      // Nothing happens without an answer.
      await tab.page.locator('[aria-label^="Cancel job: "]').click()
      await tab.waitFor("Cancel job?")
      await tab.page.keyboard.press("Escape")
      await tab.page.waitForSelector("dialog[open]", { hidden: true })

      await act(tab, "Cancel job: ", "Yes, cancel job", "The job is cancelled.")
      await tab.waitFor("cancelled")
      await act(
        tab,
        "Retry delivery: ",
        "Yes, retry delivery",
        "The delivery is delivered: status 204"
      )
    }
  }
]
