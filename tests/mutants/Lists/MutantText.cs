using System.Globalization;

namespace Ripple.Mutants.Lists;

/// <summary>How mutants stand in their files.</summary>
internal static class MutantText
{
    public static Mutant Read(FieldBlock block)
    {
        bool isWritten = block.Find("scenario") is not null;
        return new Mutant
        {
            Id = block["mutant"],
            Room = block["room"],
            Class = block["class"],
            File = block["file"],
            Line = block["line"],
            Becomes = block["becomes"],
            Breaks = isWritten ? block["breaks"] : null,
            Scenario = block.Find("scenario"),
            Judge = block.Find("judge"),
            Checker = isWritten ? block["checker"] : null,
            Seeds = isWritten ? block.Number("seeds") : 0,
            Missing = block.Find("missing"),
        };
    }

    public static FieldBlock Write(Mutant mutant)
    {
        FieldBlock block = new FieldBlock(mutant.Id)
            .Add("mutant", mutant.Id)
            .Add("room", mutant.Room)
            .Add("class", mutant.Class)
            .Add("file", mutant.File)
            .Add("line", mutant.Line)
            .Add("becomes", mutant.Becomes);
        if (!mutant.IsWritten)
        {
            return block;
        }

        block = block.Add("breaks", mutant.Breaks!).Add("scenario", mutant.Scenario!);
        block = mutant.Judge is { } judge ? block.Add("judge", judge) : block;
        return block.Add("checker", mutant.Checker!).Add("seeds", mutant.Seeds.ToString(CultureInfo.InvariantCulture));
    }
}
