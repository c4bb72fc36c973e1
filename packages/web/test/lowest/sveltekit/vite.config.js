/** Built in `packages/web/test/lowest/sveltekit.test.ts`. */
import { sveltekit } from "@sveltejs/kit/vite"

export default { plugins: [sveltekit()] }
