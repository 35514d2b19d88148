namespace Quickstart;

/// <summary>What the command line says.</summary>
internal sealed record QuickstartOptions(bool IsStaying, string? History, bool IsHelp)
{
    public const string Usage = """
        dotnet run --project samples/Quickstart [-- options]

          (nothing)        a host, 52 nodes in 4 processes and 2 zones; publishes, checks, and ends by itself
          --stay           the same, and keeps the cluster running until Ctrl-C
          --history FILE   publishes every version of a document from FILE (JSON Lines, also .gz) instead
          --help           this
        """;

    /// <summary>Null when it cannot be understood; <paramref name="error"/> says why.</summary>
    public static QuickstartOptions? TryParse(IReadOnlyList<string> args, out string error)
    {
        var options = new QuickstartOptions(false, null, false);
        for (int i = 0; i < args.Count; i++)
        {
            switch (args[i])
            {
                case "--stay":
                    options = options with { IsStaying = true };
                    break;
                case "--help" or "-h" or "-?":
                    options = options with { IsHelp = true };
                    break;
                case "--history" when i + 1 < args.Count:
                    options = options with { History = args[++i] };
                    break;
                case "--history":
                    error = "--history needs a file.";
                    return null;
                default:
                    error = $"'{args[i]}' is not an option.";
                    return null;
            }
        }

        error = string.Empty;
        return options;
    }
}
