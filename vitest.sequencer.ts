/** Starts the test files that take long before others, so that none is left alone on one core at the end. */
import { relative } from "node:path"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { longFiles } from "./vitest.longFiles.ts"

/** Each project on its own, because a worker starts again for another one. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await BaseSequencer.prototype.sort.call(this, files)
    const { root } = this.ctx.config
    const toRank = ({ moduleId, project }: TestSpecification): readonly [number, number] => {
      const place = longFiles.indexOf(relative(root, moduleId))
      return [projects.indexOf(project.name), place === -1 ? longFiles.length : place]
    }
    return sorted.toSorted((one, other) => {
      const [project, place] = toRank(one)
      const [otherProject, otherPlace] = toRank(other)
      return project - otherProject || place - otherPlace
    })
  }
}

/** What waits for npm comes first, and the most small files last. */
const projects: ReadonlyArray<string> = ["lowest", "plain", "database"]
