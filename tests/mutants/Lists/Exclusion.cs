namespace Ripple.Mutants.Lists;

/// <summary>A change that is not drawn, because it does not compile or changes nothing that anybody could see.</summary>
/// <param name="File">The file, from the root of the repository.</param>
/// <param name="Line">The line as it is.</param>
/// <param name="Becomes">What it would become.</param>
/// <param name="Reason">Why it is left out.</param>
internal sealed record Exclusion(string File, string Line, string Becomes, string Reason)
{
    public static Exclusion Read(FieldBlock block) => new(block["file"], block["line"], block["becomes"], block["reason"]);

    public FieldBlock Write() =>
        new FieldBlock(File).Add("file", File).Add("line", Line).Add("becomes", Becomes).Add("reason", Reason);
}
