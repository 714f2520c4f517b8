declare module 'jest-circus/runner' {
  const runner: {
    default: (
      globalConfig: unknown,
      config: unknown,
      environment: import('./environment.ts').default,
      runtime: import('./runner.ts').Runtime,
      testPath: string,
      tell: unknown,
    ) => Promise<unknown>;
  };
  export default runner;
}
