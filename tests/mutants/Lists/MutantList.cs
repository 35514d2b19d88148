namespace Ripple.Mutants.Lists;

/// <summary>Everything that the files of this folder say.</summary>
internal sealed class MutantList
{
    public const string Folder = "tests/mutants";
    public const string DrawnFile = "drawn.txt";
    public const string WrittenFile = "written.txt";
    public const string ExcludedFile = "excluded.txt";
    public const string RoomsFile = "rooms.txt";
    public const string ProfilesFile = "profiles.txt";

    private MutantList(IReadOnlyList<Mutant> mutants, IReadOnlyList<Room> rooms, IReadOnlyList<Profile> profiles, DrawHead? head)
    {
        Mutants = mutants;
        Rooms = rooms;
        Profiles = profiles;
        Head = head;
    }

    /// <summary>The drawn ones, then the written ones. The number of a mutant is its place here, from 1.</summary>
    public IReadOnlyList<Mutant> Mutants { get; }

    public IReadOnlyList<Room> Rooms { get; }

    public IReadOnlyList<Profile> Profiles { get; }

    /// <summary>From what the drawn ones were drawn; null when none were.</summary>
    public DrawHead? Head { get; }

    public static MutantList Load(string root)
    {
        List<FieldBlock> drawn = Blocks(root, DrawnFile);
        DrawHead? head = drawn.Count > 0 && drawn[0].Find("seed") is not null ? DrawHead.Read(drawn[0]) : null;
        return new MutantList(
            [.. drawn.Skip(head is null ? 0 : 1).Concat(Blocks(root, WrittenFile)).Select(MutantText.Read)],
            [.. Blocks(root, RoomsFile).Select(Room.Read)],
            [.. Blocks(root, ProfilesFile).Select(Profile.Read)],
            head);
    }

    public static List<Exclusion> Exclusions(string root) => [.. Blocks(root, ExcludedFile).Select(Exclusion.Read)];

    public static string PathOf(string root, string file) => Path.Combine(root, Folder, file);

    /// <summary>The same rooms and profiles with other mutants.</summary>
    public MutantList With(IEnumerable<Mutant> mutants) => new([.. mutants], Rooms, Profiles, Head);

    /// <summary>The number that switches a mutant on.</summary>
    public int NumberOf(Mutant mutant)
    {
        for (int i = 0; i < Mutants.Count; i++)
        {
            if (Mutants[i].Id == mutant.Id)
            {
                return i + 1;
            }
        }

        throw new MutantException($"There is no mutant '{mutant.Id}' in the list.");
    }

    public Room RoomOf(Mutant mutant) =>
        Rooms.FirstOrDefault(r => r.Name == mutant.Room)
        ?? throw new MutantException($"{mutant.Id} is in the room '{mutant.Room}', which {RoomsFile} does not have.");

    /// <summary>The room that a file belongs to; null when no folder of a room holds it.</summary>
    public Room? RoomOf(string file) => Rooms.Where(r => r.DepthOf(file) >= 0).MaxBy(r => r.DepthOf(file));

    private static List<FieldBlock> Blocks(string root, string file)
    {
        string path = PathOf(root, file);
        return File.Exists(path) ? FieldBlocks.Parse(File.ReadAllText(path), file) : [];
    }
}
