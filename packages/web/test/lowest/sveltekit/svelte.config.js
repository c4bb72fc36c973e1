/** The configuration of SvelteKit 2. */
import adapter from "@sveltejs/adapter-node"

export default { kit: { adapter: adapter(), csrf: { checkOrigin: false } } }
