namespace Ripple.Mutants.Rewriting;

/// <summary>The class that says which mutant is on. It is put into each instrumented project, and is nowhere in the product.</summary>
internal static class SwitchSource
{
    /// <summary>The environment variable with the number of the mutant; none is on without it.</summary>
    public const string Variable = "RIPPLE_MUTANT";

    /// <summary>
    /// The environment variable with a folder in which each assembly leaves the numbers of the mutants whose body was entered.
    /// </summary>
    public const string ReachedVariable = "RIPPLE_MUTANTS_REACHED";

    public const string TypeName = "global::Ripple.Mutants.Switch";

    public const string FileName = "MutantSwitch.cs";

    /// <summary>A read-only static number is a constant for the compiler at run time: what is switched off costs nothing.</summary>
    public const string Text =
        $$"""
        namespace Ripple.Mutants;

        /// <summary>Which mutant is on, and, where that is asked for, which could have been.</summary>
        internal static class Switch
        {
            private const int NumbersMax = 65_536;

            private static readonly int On =
                int.TryParse(global::System.Environment.GetEnvironmentVariable("{{Variable}}"), out int number) ? number : 0;

            private static readonly string? Folder = global::System.Environment.GetEnvironmentVariable("{{ReachedVariable}}");

            private static readonly bool[] Reached = new bool[Folder is null ? 0 : NumbersMax];

            private static readonly bool IsMarking = Folder is not null && TellAtExit(Folder);

            public static bool Is(int number)
            {
                if (IsMarking)
                {
                    Reached[number] = true;
                }

                return On == number;
            }

            private static bool TellAtExit(string folder)
            {
                global::System.AppDomain.CurrentDomain.ProcessExit += (_, _) => Tell(folder);
                return true;
            }

            private static void Tell(string folder)
            {
                if (global::System.IO.Directory.Exists(folder))
                {
                    global::System.IO.File.WriteAllText(
                        global::System.IO.Path.Combine(folder, typeof(Switch).Assembly.GetName().Name + ".txt"),
                        global::System.String.Join('\n', global::System.Linq.Enumerable.Where(
                            global::System.Linq.Enumerable.Range(0, NumbersMax), number => Reached[number])));
                }
            }
        }

        """;
}
