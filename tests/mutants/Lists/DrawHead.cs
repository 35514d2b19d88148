using System.Globalization;

namespace Ripple.Mutants.Lists;

/// <summary>What a drawing begins with: with it and the sources of the commit it gives the same mutants again.</summary>
/// <param name="Seed">The seed of all choices.</param>
/// <param name="Commit">The commit of the sources.</param>
/// <param name="PerRoom">How many mutants each room gets.</param>
internal sealed record DrawHead(int Seed, string Commit, int PerRoom)
{
    public static DrawHead Read(FieldBlock block) => new(block.Number("seed"), block["commit"], block.Number("per-room"));

    public FieldBlock Write() =>
        new FieldBlock("head")
            .Add("seed", Seed.ToString(CultureInfo.InvariantCulture))
            .Add("commit", Commit)
            .Add("per-room", PerRoom.ToString(CultureInfo.InvariantCulture));
}
