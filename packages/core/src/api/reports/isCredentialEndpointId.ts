/** Whether a health entry belongs to a customer's own credential rather than to the host's endpoint. */
export const isCredentialEndpointId = (id: string): boolean => /#[0-9a-f-]{36}$/.test(id)
