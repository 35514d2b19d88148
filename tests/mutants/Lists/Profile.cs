namespace Ripple.Mutants.Lists;

/// <summary>A scenario of the simulator that every mutant goes through.</summary>
/// <param name="Scenario">Its name on the simulator's command line.</param>
/// <param name="FewSeeds">How many seeds are tried before the rest.</param>
/// <param name="Seeds">How many seeds there are in all.</param>
/// <param name="Known">The checkers that find known faults of the product in it, mutant or not: what they find says nothing.</param>
internal sealed record Profile(string Scenario, int FewSeeds, int Seeds, IReadOnlyList<string> Known)
{
    public static Profile Read(FieldBlock block) =>
        new(block["profile"], block.Number("few"), block.Number("seeds"), block.List("known"));
}
