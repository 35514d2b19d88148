namespace Ripple.Load.Peers;

/// <summary>Where the generator of the peers is.</summary>
/// <param name="Path">The folder.</param>
/// <param name="IsAskedFor">Somebody named it: then peers that cannot be measured are an error, and else a line.</param>
internal sealed record PeerFolder(string Path, bool IsAskedFor)
{
    public const string Option = "--peers";

    /// <summary>The environment variable with the folder where <see cref="Option"/> is not given.</summary>
    public const string Variable = "RIPPLE_LOAD_PEERS";

    /// <summary>
    /// The folder that is named behind the option; without it that of the environment variable, or shared/peers beside the repository.
    /// </summary>
    /// <exception cref="PeerException">There is no folder behind the option.</exception>
    public static PeerFolder Find(string[] args)
    {
        int at = Array.IndexOf(args, Option);
        if (at >= 0)
        {
            return at + 1 < args.Length
                ? new(args[at + 1], true)
                : throw new PeerException($"{Option} takes the folder with the generator's source behind it.");
        }

        string? named = Environment.GetEnvironmentVariable(Variable);
        return string.IsNullOrEmpty(named) ? new(BesideTheRepository(), false) : new(named, true);
    }

    private static string BesideTheRepository()
    {
        DirectoryInfo? folder = new(AppContext.BaseDirectory);
        while (folder is not null && !File.Exists(System.IO.Path.Combine(folder.FullName, "Ripple.sln")))
        {
            folder = folder.Parent;
        }

        return System.IO.Path.GetFullPath(System.IO.Path.Combine(folder?.FullName ?? AppContext.BaseDirectory, "..", "shared", "peers"));
    }
}
