/** Prints how far the tests are every few seconds, and each failure at once; what tests log only if they fail. */
import { relative } from "node:path"
import { MinimalReporter, type TestModule, type TestSpecification } from "vitest/node"

const everyMillis = 10_000

export default class ProgressReporter extends MinimalReporter {
  #files = 0
  #done = 0
  #passed = 0
  #failed = 0
  #began = performance.now()
  #printed = this.#began

  override onTestRunStart(specifications: ReadonlyArray<TestSpecification>): void {
    this.#files = specifications.length
    super.onTestRunStart(specifications)
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module)
    this.#done++
    for (const test of module.children.allTests()) {
      const { errors, state } = test.result()
      if (state === "passed") this.#passed++
      if (state !== "failed") continue
      this.#failed++
      const file = relative(this.ctx.config.root, module.moduleId)
      console.log(`FAILED ${file} > ${test.fullName}: ${errors[0]?.message}`)
    }
    const now = performance.now()
    if (now - this.#printed < everyMillis && this.#done < this.#files) return
    this.#printed = now
    const seconds = Math.round((now - this.#began) / 1000)
    const failed = this.#failed === 0 ? "" : `, ${this.#failed} failed`
    console.log(
      `tests: ${this.#done} of ${this.#files} files, ${this.#passed} passed${failed}, ${seconds} s`
    )
  }
}
