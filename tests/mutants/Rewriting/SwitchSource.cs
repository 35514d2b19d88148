namespace Ripple.Mutants.Rewriting;

/// <summary>The class that says which mutant is on. It is put into each instrumented project, and is nowhere in the product.</summary>
internal static class SwitchSource
{
    /// <summary>The environment variable with the number of the mutant; none is on without it.</summary>
    public const string Variable = "RIPPLE_MUTANT";

    public const string TypeName = "global::Ripple.Mutants.Switch";

    public const string FileName = "MutantSwitch.cs";

    /// <summary>A read-only static number is a constant for the compiler at run time: what is switched off costs nothing.</summary>
    public const string Text =
        $$"""
        namespace Ripple.Mutants;

        /// <summary>Which mutant is on.</summary>
        internal static class Switch
        {
            private static readonly int On =
                int.TryParse(global::System.Environment.GetEnvironmentVariable("{{Variable}}"), out int number) ? number : 0;

            public static bool Is(int number) => On == number;
        }

        """;
}
