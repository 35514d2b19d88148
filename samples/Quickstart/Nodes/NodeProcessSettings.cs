using System.Globalization;

namespace Quickstart.Nodes;

/// <summary>What one node process is started with. It names the connection file: the token itself is never on a command line.</summary>
/// <param name="First">Its first node.</param>
/// <param name="Count">How many nodes it has.</param>
/// <param name="Zone">Their zone.</param>
/// <param name="Connection">The file with the connection string.</param>
/// <param name="State">The directory its nodes keep their snapshots in.</param>
/// <param name="Critic">The node that rejects bad limits; in this process or not.</param>
internal sealed record NodeProcessSettings(int First, int Count, string Zone, string Connection, string State, int Critic)
{
    /// <summary>The hidden first argument that makes the program a node process.</summary>
    public const string Argument = "--node-process";

    public IEnumerable<int> Nodes => Enumerable.Range(First, Count);

    public static NodeProcessSettings Parse(IReadOnlyList<string> args) =>
        new(Number(args[0]), Number(args[1]), args[2], args[3], args[4], Number(args[5]));

    public static string NameOf(int node) => string.Create(CultureInfo.InvariantCulture, $"node-{node:00}");

    public IReadOnlyList<string> ToArguments() => [Argument, Text(First), Text(Count), Zone, Connection, State, Text(Critic)];

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
