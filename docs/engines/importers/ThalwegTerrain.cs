// SPDX-License-Identifier: MIT
// Places terrain in Unity by its sidecar: Tools > Thalweg > Place terrain reads `land.raw.json` of an
// export `for: unity` and adds a terrain of the right size and height; tiles lie beside each other.
// Put this file into a folder named Editor.
using System;
using System.IO;
using UnityEditor;
using UnityEngine;

public static class ThalwegTerrain
{
    [Serializable] public class Metres { public float cell; public float width; public float height; }
    [Serializable] public class Range { public float low_m; public float high_m; }
    [Serializable] public class Tile { public int[] first_cell; public int[] map; }
    [Serializable]
    public class Side
    {
        public string schema, file, rows;
        public int width, height, bpp;
        public Metres metres;
        public Range range;
        public Tile tile;
    }

    [MenuItem("Tools/Thalweg/Place terrain")]
    public static void Choose()
    {
        string path = EditorUtility.OpenFilePanel("Sidecar", "", "json");
        if (!string.IsNullOrEmpty(path))
            Place(path);
    }

    public static GameObject Place(string path)
    {
        Side side = JsonUtility.FromJson<Side>(File.ReadAllText(path));
        if (side.schema == null || !side.schema.StartsWith("thalweg.sidecar/") || side.bpp != 16 ||
            side.width != side.height)
            throw new ArgumentException(path + " is not the sidecar of a file for: unity");
        byte[] levels = File.ReadAllBytes(Path.Combine(Path.GetDirectoryName(path), side.file));
        if (levels.LongLength != 2L * side.width * side.height)
            throw new ArgumentException(side.file + " has another size than its sidecar says");
        TerrainData data = new TerrainData { heightmapResolution = side.width };
        float span = (side.width - 1) * side.metres.cell; // between the outermost samples
        data.size = new Vector3(span, side.range.high_m - side.range.low_m, span);
        data.SetHeights(0, 0, Heights(side, levels));
        AssetDatabase.CreateAsset(data, AssetDatabase.GenerateUniqueAssetPath(
            "Assets/" + Path.GetFileNameWithoutExtension(side.file) + ".asset"));
        GameObject made = Terrain.CreateTerrainGameObject(data);
        made.transform.position = Corner(side);
        return made;
    }

    // Unity's rows go from south to north.
    public static float[,] Heights(Side side, byte[] levels)
    {
        float[,] heights = new float[side.height, side.width];
        for (int z = 0; z < side.height; z++)
            for (int x = 0; x < side.width; x++)
            {
                int row = side.rows == "south to north" ? z : side.height - 1 - z;
                int at = 2 * (row * side.width + x);
                heights[z, x] = (levels[at] | levels[at + 1] << 8) / 65535f;
            }
        return heights;
    }

    // The sample in the south-west, in metres from the middle of the map; x is east, z north.
    public static Vector3 Corner(Side side)
    {
        bool whole = side.tile == null || side.tile.map == null || side.tile.map.Length < 2;
        int x = whole ? 0 : side.tile.first_cell[0], y = whole ? 0 : side.tile.first_cell[1];
        int mapWidth = whole ? side.width : side.tile.map[0];
        int mapHeight = whole ? side.height : side.tile.map[1];
        return new Vector3((x - (mapWidth - 1) / 2f) * side.metres.cell, side.range.low_m,
                           ((mapHeight - 1) / 2f - (y + side.height - 1)) * side.metres.cell);
    }
}
