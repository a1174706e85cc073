export const ada = { email: 'ada@example.com', emailVerified: null } as const
export const adaToken = { identifier: 'ada@example.com', token: 'hash', expires: new Date(4102444799999) } as const
export const github = { type: 'oauth', provider: 'github', providerAccountId: '1' } as const
