/** What a secret may be called. Source: wire, parameter `name`; semantics D2. */
export const isSecretName = (name: string): boolean => name.length <= 255 && form.test(name)

const form = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/
